import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { limitsImageSizeBytes, ServiceError } from '../../client/protocol/index.ts';
import type { Documents } from '../../db/documents.ts';
import { grantsOf, mayAddPictures } from '../../model/log/change-author.ts';
import type { Config } from '../../platform/config.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { SessionClaims } from '../coauthoring/auth/session-credentials.ts';
import type { DocumentPictures } from '../coauthoring/document-pictures.ts';
import { openedAs } from '../coauthoring/opened-as.ts';
import { baseUrl } from '../http/base-url.ts';
import type { FileLinks } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { routingOfDocument } from '../http/routing.ts';
import { downloadCommand } from './download-command.ts';
import { type EditorAccess, editorOf, sessionTokenOf } from './request-tokens.ts';

export interface UploadDependencies extends EditorAccess {
  config: Config;
  bodies: RequestBodies;
  /** This process' own. */
  workDirectory: string;
  sealing: Sealing;
  documents: Documents;
  pictures: DocumentPictures;
  links: FileLinks;
}

/**
 * `POST /upload/{key}` with the bytes of a picture as the body (integration API, 11.3): authorised by the session token of
 * somebody who may put pictures in, type by content. Answers `{"media/<name>": "<link>"}`; 403 token, 413 size, 415 type, 429 more
 * than a few at once, 507 more than a document holds.
 */
export function uploadsRouter(dependencies: UploadDependencies): Router {
  const { config, sealing, documents, pictures, links } = dependencies;
  const underWay = new Map<string, number>();
  const store = async (request: Request, response: Response, session: SessionClaims): Promise<void> => {
    const { key } = session;
    const row = await documents.find(key);
    if (row?.state !== 'open' || (openedAs(row, sealing).isProtected && !session.knowsPassword)) {
      return void response.status(403).json({ error: 'the document is not open' });
    }
    const bytes = await received(request, dependencies);
    if (bytes.length === 0) return void response.status(400).json({ error: 'no picture' });
    const picture = await pictures.add(key, bytes, session.userId);
    if (picture === 'unknown')
      return void response.status(415).json({ error: 'not a picture of a known type' });
    if (picture === 'full')
      return void response.status(507).json({ error: 'the document has too many pictures' });
    const base = { baseUrl: baseUrl(request, config), routing: routingOfDocument(key, row.routing) };
    const link = links.session({ docKey: key, ...picture }, base, 0);
    response.json({ [picture.path]: link });
  };
  const router = Router();
  router.post('/upload/:key{/*rest}', async (request, response) => {
    const session = await editorOf(request, dependencies);
    if (!session || !mayAddPictures(grantsOf(session.permissions, session.mode).may)) {
      return void response.status(403).json({ error: 'not allowed' });
    }
    const owner = `${session.key} ${session.userIndex}`;
    const others = underWay.get(owner) ?? 0;
    if (others >= uploadsAtOnce) {
      return void response.status(429).set('Retry-After', '1').json({ error: 'too many pictures at once' });
    }
    underWay.set(owner, others + 1);
    try {
      await store(request, response, session);
    } finally {
      const left = underWay.get(owner)! - 1;
      if (left > 0) underWay.set(owner, left);
      else underWay.delete(owner);
    }
  });
  return router;
}

/** So many pictures one session may send at once. */
const uploadsAtOnce = 4;

/** The bytes of an upload, which waits on disk until it is whole: a slow one takes no memory. @throws BodyError */
async function received(
  request: Request,
  { bodies, workDirectory }: Pick<UploadDependencies, 'bodies' | 'workDirectory'>,
): Promise<Buffer> {
  const directory = path.join(workDirectory, 'incoming');
  await mkdir(directory, { recursive: true });
  const file = path.join(directory, randomUUID());
  try {
    await bodies.toFile(request, file, limitsImageSizeBytes);
    return await readFile(file);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * `POST /savefile/{key}?cmd=` (integration API, 2.1): editors of documents that are encrypted end to end send the file
 * that they have made. There are no such documents here: an editor gets an error and the file is not read; everybody
 * else gets 403.
 */
export function saveFileRouter(access: EditorAccess): Router {
  const router = Router();
  router.post('/savefile/:key', async (request, response) => {
    const command = downloadCommand(request.query.cmd);
    if (!command) return void response.status(400).json({ error: 'cmd is not a JSON object' });
    const token = sessionTokenOf(request) ?? command.tokenSession;
    if (!(await editorOf(request, access, token))) {
      return void response.status(403).json({ error: 'not allowed' });
    }
    response.json({ type: 'save', status: 'err', data: ServiceError.convertDrmUnsupported });
  });
  return router;
}
