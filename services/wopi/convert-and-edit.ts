import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Request, Response, Router } from 'express';
import type { WopiSessionRow, WopiSessions } from '../../db/wopi-sessions.ts';
import { tenantOf } from '../../jobs/job.ts';
import { QueueFullError } from '../../jobs/jobs.ts';
import { usualType } from '../../model/usual-type.ts';
import type { Config } from '../../platform/config.ts';
import { DownloadError } from '../../platform/outgoing/download.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { Routes } from '../http/routes.ts';
import { appNames, type Format } from '../integration/editor-formats.ts';
import type { FileConverter } from './convert-to.ts';
import { extensionOf, mayWriteRelative, readFileInfo } from './file-info.ts';
import { viewKey } from './file-source.ts';
import { fieldsOf } from './form-fields.ts';
import type { GetFile } from './get-file.ts';
import { accessOf, type HostRules } from './host-client.ts';
import { checkQuery, infoOf, PageProblem } from './page-opening.ts';
import { readPageQuery } from './page-query.ts';
import { type PageSession, signPage, titleOf } from './page-session.ts';
import type { PageShell } from './page-shell.ts';
import { pageTokens } from './page-tokens.ts';
import type { WopiHost } from './wopi-host.ts';

export interface ConvertAndEditDependencies {
  bodies: RequestBodies;
  config: Config;
  /** This process' own. */
  workDirectory: string;
  tokens: Tokens;
  sessions: WopiSessions;
  host: WopiHost;
  rules: HostRules;
  shell: PageShell;
  getFile: GetFile;
  blobs: BlobStore;
  converter: FileConverter;
  formats: () => readonly Format[];
}

/** How a conversion stands: `url` is the page of the new file. */
type Progress = { end: false } | { end: true; url: string } | { end: true; error: string };

const root = '../../../../';
/** For so long a page that asks again is given the result, milliseconds. */
const keptForMs = 60_000;

/**
 * `/hosting/wopi/convert-and-edit/{ext}/{target}` (integration API, 13.6): a page that waits while a file of an old format
 * is converted and put beside the old one at its host, and then goes to the page of the new file.
 */
export class ConvertAndEdit {
  readonly router: Router;
  readonly #deps: ConvertAndEditDependencies;
  readonly #running = new Map<string, Progress>();

  constructor(dependencies: ConvertAndEditDependencies) {
    this.#deps = dependencies;
    const open = (request: Request, response: Response) => this.#open(request, response);
    const tokenOf = async (request: Request) => (await fieldsOf(request)).get('token');
    const judge = pageTokens(dependencies, tokenOf, { end: true, error: 'not allowed' });
    this.router = new Routes({ bodies: dependencies.bodies, judges: { 'WOPI page token': judge } })
      .on('GET /hosting/wopi/convert-and-edit/:extension/:target', open)
      .on('POST /hosting/wopi/convert-and-edit/:extension/:target', open)
      .on('GET /hosting/wopi/convert-and-edit-handler', (_request, response, session) =>
        this.#answer(response, session),
      ).router;
  }

  async #open(request: Request, response: Response): Promise<void> {
    const { tokens, sessions, host, rules, shell } = this.#deps;
    const { extension, target } = request.params as { extension: string; target: string };
    const asked = readPageQuery(await fieldsOf(request));
    try {
      const query = checkQuery(asked, rules);
      const access = { source: query.source.url, accessToken: query.accessToken, sessionId: randomUUID() };
      const { info } = infoOf(await host.checkFileInfo(access, query.sessionContext));
      const format = this.#deps.formats().find((one) => one.extension === extensionOf(info));
      if (format?.extension !== extension || format.convertTo !== target) throw new PageProblem('format');
      if (!mayWriteRelative(info)) throw new PageProblem('host-refused');
      const key = viewKey(query.source, info, access.sessionId);
      await sessions.add({
        ...access,
        id: access.sessionId,
        key,
        expiresAt: query.expiresAt,
        writes: true,
        fileInfo: info,
      });
      const session: PageSession = {
        id: access.sessionId,
        key,
        kind: format.kind,
        info,
        mode: 'view',
        viewNotice: null,
        query,
        userId: info.UserId ?? '',
      };
      const data = { convertData: JSON.stringify({ target, app: appNames[format.kind] }) };
      const token = await signPage(tokens, session);
      shell.send(response, { title: titleOf(info), lang: query.lang, root, token, data });
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      shell.sendProblem(response, error.code, asked.lang, root, error.detail);
    }
  }

  /** Begins the conversion when a page asks for the first time, and then reports how far it is. */
  #answer(response: Response, session: WopiSessionRow): void {
    if (!this.#running.has(session.id)) this.#begin(session);
    response.set('Cache-Control', 'no-store').json(this.#running.get(session.id));
  }

  #begin(session: WopiSessionRow): void {
    this.#running.set(session.id, { end: false });
    void this.#convert(session)
      .catch((error: unknown): Progress => ({ end: true, error: reasonOf(error) }))
      .then((progress) => {
        this.#running.set(session.id, progress);
        setTimeout(() => this.#running.delete(session.id), keptForMs).unref();
      });
  }

  async #convert(session: WopiSessionRow): Promise<Progress> {
    const { config, workDirectory, getFile, blobs, converter, host, formats } = this.#deps;
    const named = extensionOf(readFileInfo(session.fileInfo)!);
    const toType = formats().find(({ extension }) => extension === named)!.convertTo!;
    const directory = path.join(workDirectory, 'incoming');
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, randomUUID());
    const { hash } = await blobs.putFile(file, await getFile.into(session, file));
    const result = await converter.convert({
      ...{ sourceHash: hash, fromType: usualType(named), toType },
      isInteractive: true,
      owner: tenantOf(session.source),
    });
    if (!result.ok) return { end: true, error: result.message };
    const put = await host.putRelative(accessOf(session), await blobs.read(result.hash), {
      target: `.${result.fileType}`,
      isConversion: true,
      timeoutMs: config.callbackTimeoutMs,
    });
    if (!put.ok) return { end: true, error: put.reason };
    const url = put.file.editUrl ?? put.file.viewUrl;
    return url === null
      ? { end: true, error: `the storage made ${put.file.name} and does not say where it is opened` }
      : { end: true, url };
  }
}

function reasonOf(error: unknown): string {
  const isPublic = error instanceof DownloadError || error instanceof QueueFullError;
  return isPublic ? error.message : 'the file could not be converted';
}
