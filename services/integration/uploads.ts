import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Request, Response, Router } from 'express';
import { limitsImageSizeBytes, ServiceError } from '../../client/protocol/index.ts';
import type { Config } from '../../platform/config.ts';
import type { DocumentPictures } from '../coauthoring/document-pictures.ts';
import { baseUrl } from '../http/base-url.ts';
import type { FileLinks } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { type Judge, Routes } from '../http/routes.ts';
import { routingOfDocument } from '../http/routing.ts';
import type { SessionStanding } from './session-standing.ts';

export interface UploadDependencies {
  sessions: Judge<SessionStanding>;
  config: Config;
  bodies: RequestBodies;
  /** This process' own. */
  workDirectory: string;
  pictures: DocumentPictures;
  links: FileLinks;
}

/**
 * `POST /upload/{key}` with the bytes of a picture as the body (integration API, 11.3): authorised by the session token of
 * somebody who may put pictures in, type by content. Answers `{"media/<name>": "<link>"}`; 403 token, 413 size, 415 type, 429 more
 * than a few at once, 507 more than a document holds.
 */
export function uploadsRouter(dependencies: UploadDependencies): Router {
  const { config, pictures, links } = dependencies;
  const underWay = new Map<string, number>();
  const store = async (request: Request, response: Response, standing: SessionStanding): Promise<void> => {
    const { key, userId } = standing.session;
    const row = (await standing.row())!;
    const bytes = await received(request, dependencies);
    if (bytes.length === 0) return void response.status(400).json({ error: 'no picture' });
    const picture = await pictures.add(key, bytes, userId);
    if (picture === 'unknown')
      return void response.status(415).json({ error: 'not a picture of a known type' });
    if (picture === 'full')
      return void response.status(507).json({ error: 'the document has too many pictures' });
    const base = { baseUrl: baseUrl(request, config), routing: routingOfDocument(key, row.routing) };
    const link = links.session({ docKey: key, ...picture }, base, 0);
    response.json({ [picture.path]: link });
  };
  const routes = new Routes({ judges: { 'session token': dependencies.sessions } });
  routes.on('POST /upload/:key{/*rest}', async (request, response, standing) => {
    const { session } = standing;
    const owner = `${session.key} ${session.userIndex}`;
    const others = underWay.get(owner) ?? 0;
    if (others >= uploadsAtOnce) {
      return void response.status(429).set('Retry-After', '1').json({ error: 'too many pictures at once' });
    }
    underWay.set(owner, others + 1);
    try {
      await store(request, response, standing);
    } finally {
      const left = underWay.get(owner)! - 1;
      if (left > 0) underWay.set(owner, left);
      else underWay.delete(owner);
    }
  });
  return routes.router;
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
export function saveFileRouter(sessions: Judge<SessionStanding>): Router {
  const routes = new Routes({ judges: { 'session token': sessions } });
  routes.on('POST /savefile/:key', (_request, response) => {
    response.json({ type: 'save', status: 'err', data: ServiceError.convertDrmUnsupported });
  });
  return routes.router;
}
