import express, { type Request, type Response, Router } from 'express';
import { limitsImageSizeBytes, ServiceError } from '../../client/protocol/index.ts';
import type { Documents } from '../../db/documents.ts';
import type { Config } from '../../platform/config.ts';
import type { DocumentPictures } from '../coauthoring/document-pictures.ts';
import { baseUrl } from '../http/base-url.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';
import { downloadCommand } from './download-command.ts';
import { type EditorAccess, isFromEditor, sessionTokenOf } from './request-tokens.ts';

export interface UploadDependencies extends EditorAccess {
  config: Config;
  documents: Documents;
  pictures: DocumentPictures;
  links: FileLinks;
}

/**
 * `POST /upload/{key}` with the bytes of a picture as the body (integration API, 11.3): authorised by the session token of
 * an editor, type by content. Answers `{"media/<name>": "<link>"}`; 403 token, 413 size, 415 type.
 */
export function uploadsRouter(dependencies: UploadDependencies): Router {
  const { config, documents, pictures, links } = dependencies;
  const router = Router();
  const body = express.raw({ type: () => true, limit: limitsImageSizeBytes });
  const authorise = async (request: Request, response: Response, next: () => void): Promise<void> => {
    if (await isFromEditor(request, dependencies)) next();
    else response.status(403).json({ error: 'not allowed' });
  };
  router.post('/upload/:key{/*rest}', authorise, body, async (request, response) => {
    const key = String(request.params.key);
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
      return void response.status(400).json({ error: 'no picture' });
    }
    const row = await documents.find(key);
    if (row?.state !== 'open') {
      return void response.status(403).json({ error: 'the document is not open' });
    }
    const picture = await pictures.add(key, bytes);
    if (!picture) return void response.status(415).json({ error: 'not a picture of a known type' });
    const { path, hash } = picture;
    const base = { baseUrl: baseUrl(request, config), routing: routingOfDocument(key, row.routing) };
    const link = links.session({ docKey: key, hash, path }, base, 0);
    response.json({ [path]: link });
  });
  return router;
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
    if (!(await isFromEditor(request, access, token))) {
      return void response.status(403).json({ error: 'not allowed' });
    }
    response.json({ type: 'save', status: 'err', data: ServiceError.convertDrmUnsupported });
  });
  return router;
}
