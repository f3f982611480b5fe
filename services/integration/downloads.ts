import { type Request, type Response, Router } from 'express';
import { ServiceError } from '../../client/protocol/index.ts';
import { typeOfSaved } from '../../converter/formats.ts';
import type { Documents } from '../../db/documents.ts';
import { isDocumentKey } from '../coauthoring/document-key.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { Config } from '../config.ts';
import type { Copies } from '../lifecycle/copies.ts';
import type { Claims, Tokens } from '../tokens.ts';
import { baseUrl } from './base-url.ts';
import { type DownloadCommand, downloadCommand } from './download-command.ts';
import type { FileLinks } from './file-links.ts';

export interface DownloadDependencies {
  config: Config;
  tokens: Tokens;
  documents: Documents;
  registry: DocumentRegistry;
  copies: Copies;
  links: FileLinks;
}

const bearer = 'Bearer ';

/**
 * `POST|GET /downloadas/{key}?cmd=<JSON>` (integration API, 11.2): the document as it is now, with every acknowledged
 * change, as `{"type":"save","status":"ok","data":"<link>","url":"<link>","filetype":"docx"}`. For people who are
 * connected with the document and may download it, by their session token; 403 for everybody else. What goes wrong
 * with the file is `status` `err` with the service error as `data`.
 */
export function downloadsRouter(dependencies: DownloadDependencies): Router {
  const { config, documents, copies, links } = dependencies;
  const answer = async (request: Request, response: Response): Promise<void> => {
    const command = downloadCommand(request.query.cmd);
    if (!command) return void response.status(400).json({ error: 'cmd is not a JSON object' });
    if (!(await mayDownload(request, command, dependencies))) {
      return void response.status(403).json({ error: 'not allowed' });
    }
    const key = String(request.params.key);
    const refuse = (data: number, message: string) =>
      void response.json({ type: 'save', status: 'err', data, message });
    response.set('Cache-Control', 'no-store');
    const row = await documents.find(key);
    if (!row) return refuse(ServiceError.unknown, 'There is no such document');
    const offered = [row.fileType, typeOfSaved(row.model, row.fileType)];
    if (command.outputType !== null && !offered.includes(command.outputType)) {
      const message = `The document can be downloaded as ${row.fileType} only`;
      return refuse(ServiceError.convertUnknownFormat, message);
    }
    const copy = await copies.of(key);
    if ('errorCode' in copy) return refuse(copy.errorCode, copy.message);
    const file = {
      docKey: key,
      hash: copy.hash,
      path: `output.${copy.fileType}`,
      downloadName: fileNameOf(row.title, copy.fileType),
    };
    const routing = { name: 'shardkey' as const, value: key };
    const url = links.temporary(file, { baseUrl: baseUrl(request, config), routing });
    response.json({ type: 'save', status: 'ok', data: url, url, filetype: copy.fileType });
  };
  const router = Router();
  router.route('/downloadas/:key').get(answer).post(answer);
  return router;
}

/**
 * Whether the request carries the session token of somebody who is connected with this document now and may download
 * it. The token alone lives longer than the right to what others write meanwhile.
 */
async function mayDownload(
  request: Request,
  command: DownloadCommand,
  { tokens, registry }: DownloadDependencies,
): Promise<boolean> {
  const { key } = request.params;
  if (!isDocumentKey(key)) return false;
  const header = request.headers.authorization ?? '';
  const token = header.startsWith(bearer) ? header.slice(bearer.length) : request.query.token;
  const verified = await tokens.verifySession(token ?? command.tokenSession);
  if (verified.kind !== 'ok') return false;
  const { document, editorConfig } = verified.claims as { document?: Claims; editorConfig?: Claims };
  const permissions = document?.permissions as { download?: unknown } | undefined;
  if (document?.key !== key || permissions?.download === false) return false;
  const user = editorConfig?.user as { index?: unknown } | undefined;
  const members = registry.find(key)?.document.members.values() ?? [];
  return [...members].some(
    (member) =>
      member.userIndex === user?.index && member.sessionTimeConnectMs === editorConfig?.ds_sessionTimeConnect,
  );
}

/** The title, with the extension of the file if it has another one or none. */
function fileNameOf(title: string, fileType: string): string {
  const name = title.replace(/[/\\]/g, '_') || 'document';
  return name.toLowerCase().endsWith(`.${fileType}`) ? name : `${name}.${fileType}`;
}
