import express, { type Request, type Response, Router } from 'express';
import { limitsImageSizeBytes } from '../../client/protocol/index.ts';
import type { Documents } from '../../db/documents.ts';
import { isViewer } from '../coauthoring/auth/identity.ts';
import { isDocumentKey } from '../coauthoring/document-key.ts';
import type { Config } from '../config.ts';
import type { Claims, Tokens } from '../tokens.ts';
import { baseUrl } from './base-url.ts';
import type { DocumentPictures } from './document-pictures.ts';
import type { FileLinks } from './file-links.ts';

export interface UploadDependencies {
  config: Config;
  tokens: Tokens;
  documents: Documents;
  pictures: DocumentPictures;
  links: FileLinks;
}

const bearer = 'Bearer ';

/**
 * `POST /upload/{key}` with the bytes of a picture as the body (integration API, 11.3): authorised by the session token of
 * an editor, type by content. Answers `{"media/<name>": "<link>"}`; 403 token, 413 size, 415 type.
 */
export function uploadsRouter(dependencies: UploadDependencies): Router {
  const { config, documents, pictures, links } = dependencies;
  const router = Router();
  const body = express.raw({ type: () => true, limit: limitsImageSizeBytes });
  const authorise = async (request: Request, response: Response, next: () => void): Promise<void> => {
    if (await mayUpload(request, dependencies)) next();
    else response.status(403).json({ error: 'not allowed' });
  };
  router.post('/upload/:key{/*rest}', authorise, body, async (request, response) => {
    const key = String(request.params.key);
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
      return void response.status(400).json({ error: 'no picture' });
    }
    if ((await documents.find(key))?.state !== 'open') {
      return void response.status(403).json({ error: 'the document is not open' });
    }
    const picture = await pictures.add(key, bytes);
    if (!picture) return void response.status(415).json({ error: 'not a picture of a known type' });
    const { path, hash } = picture;
    const link = links.session({ docKey: key, hash, path }, { baseUrl: baseUrl(request, config) }, 0);
    response.json({ [path]: link });
  });
  return router;
}

/** Whether the request carries the session token of an editor of this document. */
async function mayUpload(request: Request, { tokens }: UploadDependencies): Promise<boolean> {
  const { key } = request.params;
  const header = request.headers.authorization ?? '';
  const token = header.startsWith(bearer) ? header.slice(bearer.length) : request.query.token;
  const verified = await tokens.verifySession(token);
  if (verified.kind !== 'ok' || !isDocumentKey(key)) return false;
  const { document, editorConfig } = verified.claims as { document?: Claims; editorConfig?: Claims };
  const permissions = document?.permissions as Record<string, unknown> | undefined;
  return (
    document?.key === key &&
    editorConfig?.ds_isCloseCoAuthoring !== true &&
    editorConfig?.coEditing === undefined &&
    !isViewer({ mode: 'edit', permissions })
  );
}
