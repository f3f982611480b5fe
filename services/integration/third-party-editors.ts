import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { NextFunction, Request, RequestHandler, Response, Router } from 'express';
import type { Config } from '../../platform/config.ts';
import { QuireError } from '../../platform/quire-error.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';
import { baseUrl } from '../http/base-url.ts';
import { Routes } from '../http/routes.ts';
import { staticFiles } from './web-pages.ts';

/** Browser editors of the ONLYOFFICE family in a directory of this machine. */
export interface ThirdPartyEditors {
  directory: string;
  /** What they say they are. Their pages refuse a server that announces another version. */
  version: AnnouncedVersion;
  /** Version prefix of their addresses, without slashes; another one when their files have changed. */
  prefix: string;
  /** Folders of `sdkjs-plugins` that hold a plugin. */
  plugins: readonly string[];
  /** The colour themes they bring. */
  themes: readonly unknown[];
}

/** `EDITORS_DIR` does not hold editors that can be served. */
export class EditorsUnusable extends QuireError {
  constructor(directory: string, why: string) {
    super(
      'editors-unusable',
      `The editors in ${directory} (EDITORS_DIR) cannot be used: ${why}. ` +
        'It must be the directory of an installation that holds `web-apps` and `sdkjs`.',
    );
  }
}

/** The embedding page's script, and what no editor runs without. */
const embeddingScript = 'web-apps/apps/api/documents/api.js';
const needed = [embeddingScript, 'sdkjs/common/AllFonts.js'];
const themesFolder = 'web-apps/apps/common/main/resources/themes';

/** Every file of these editors begins with a notice of its version; it is looked for in so many bytes. */
const noticeBytes = 2_048;
const notice = /Version: (\d+\.\d+\.\d+)\s*\(build:(\d+)\)/;

/**
 * The editors that `EDITORS_DIR` names; null when it names none.
 * @throws EditorsUnusable when there are none in it
 */
export async function findThirdPartyEditors({
  editorsDir: directory,
}: Pick<Config, 'editorsDir'>): Promise<ThirdPartyEditors | null> {
  if (directory === undefined) return null;
  for (const file of needed) {
    if (!(await exists(path.join(directory, file))))
      throw new EditorsUnusable(directory, `there is no ${file}`);
  }
  const version = await versionOf(directory);
  return {
    directory,
    version,
    prefix: `${version.version}-${version.build}-${await fingerprintOf(directory)}`,
    plugins: await pluginsIn(path.join(directory, 'sdkjs-plugins')),
    themes: await themesIn(path.join(directory, themesFolder)),
  };
}

/** Problems that leave the editors usable, as sentences for the log. */
export async function editorsWarnings(
  { directory }: ThirdPartyEditors,
  x2t: { version: string } | null,
): Promise<string[]> {
  const warnings: string[] = [];
  if (!x2t) {
    warnings.push(
      'EDITORS_DIR is set and there is no converter x2t: these editors can open no document. See `quire install x2t`.',
    );
  }
  if (!(await exists(path.join(directory, 'fonts')))) {
    warnings.push(`EDITORS_DIR has no folder fonts: the editors will report that fonts cannot be loaded.`);
  }
  return warnings;
}

async function versionOf(directory: string): Promise<AnnouncedVersion> {
  const apps = path.join(directory, 'web-apps/apps');
  const names = (await readdir(apps)).sort();
  const files = [
    ...names.map((name) => path.join(apps, name, 'main/app.js')),
    path.join(directory, embeddingScript),
  ];
  for (const file of files) {
    const found = notice.exec(await startOf(file));
    if (found) return { version: found[1]!, build: Number(found[2]) };
  }
  throw new EditorsUnusable(directory, 'its files do not tell their version');
}

/** Other editors, or the same with other fonts, have another fingerprint. */
async function fingerprintOf(directory: string): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['web-apps/apps', 'sdkjs']) {
    const root = path.join(directory, folder);
    const names = await readdir(root, { recursive: true });
    for (const name of names.filter((one) => one.endsWith('.js')).sort()) {
      const { size, mtimeMs } = await stat(path.join(root, name));
      hash.update(`${folder}/${name} ${size} ${Math.trunc(mtimeMs)}\n`);
    }
  }
  return hash.digest('hex').slice(0, 12);
}

async function pluginsIn(directory: string): Promise<string[]> {
  const names = await namesIn(directory);
  const held = await Promise.all(names.map((name) => exists(path.join(directory, name, 'config.json'))));
  return names.filter((_name, index) => held[index]).sort();
}

async function themesIn(directory: string): Promise<unknown[]> {
  const files = (await namesIn(directory)).filter((name) => name.endsWith('.json')).sort();
  const lists = await Promise.all(files.map((name) => themesOf(path.join(directory, name))));
  return lists.flat();
}

/** A file holds one theme or a list of them. */
async function themesOf(file: string): Promise<unknown[]> {
  const content = JSON.parse(await readFile(file, 'utf8')) as { themes?: unknown };
  return Array.isArray(content.themes) ? content.themes : [content];
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

async function startOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (!handle) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(noticeBytes), 0, noticeBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const folders = ['web-apps', 'sdkjs', 'sdkjs-plugins', 'fonts', 'dictionaries'] as const;
const serviceWorker = 'document_editor_service_worker.js';

/** Pages of the editors. The script of the embedding page has one address for all versions. */
const editorPage = /^\/web-apps\/apps\/(?!api\/documents\/api\.js|quire\/)[^?]+\.html$/;

/** Whether a request came with a version prefix, which `httpApp` has taken off. */
const isVersioned = ({ originalUrl, url, baseUrl: mounted }: Request): boolean =>
  originalUrl !== mounted + url;

/**
 * The editors of `EDITORS_DIR` (integration API, 2.1): their pages are redirected to an address with the version prefix,
 * and what is fetched from below it is cached for a year.
 */
export function thirdPartyPagesRouter(
  editors: ThirdPartyEditors,
  config: Pick<Config, 'publicUrl' | 'trustProxy'>,
): Router {
  const routes = new Routes();
  routes.on('GET /plugins.json', (_request, response) => {
    const pluginsData = editors.plugins.map((name) => `../../../../sdkjs-plugins/${name}/config.json`);
    response.json({ url: '', pluginsData, autostart: [] });
  });
  routes.on('GET /themes.json', (_request, response) => {
    response.json({ themes: editors.themes });
  });
  routes.on('GET /document_editor_service_worker.js', (_request, response, _found, next) => {
    const file = [serviceWorker, `sdkjs/common/serviceworker/${serviceWorker}`].find((name) =>
      existsSync(path.join(editors.directory, name)),
    );
    if (!file) return next();
    response.sendFile(file, {
      root: editors.directory,
      acceptRanges: false,
      headers: { 'Cache-Control': 'no-cache' },
    });
  });
  const lead = (request: Request, response: Response, _found: undefined, next: NextFunction): void => {
    if (isVersioned(request)) next();
    else response.redirect(302, `${baseUrl(request, config)}/${editors.prefix}${request.url}`);
  };
  routes.on('GET /web-apps/apps/:editor/:folder/:page', lead, editorPage);
  for (const folder of folders) {
    const directory = path.join(editors.directory, folder);
    if (!existsSync(directory)) continue;
    const serve = withCaching(directory);
    routes.on(`ALL /${folder}`, (request, response, _found, next) => serve(request, response, next));
  }
  return routes.router;
}

/** Serves files, compressed where a compressed copy lies beside them. */
function withCaching(directory: string): RequestHandler {
  const serve = staticFiles(directory, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: ((response: Response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Cache-Control', response.locals.cacheControl as string);
    }) as never,
  });
  return (request, response, next) => {
    response.locals.cacheControl = isVersioned(request) ? 'public, max-age=31536000, immutable' : 'no-cache';
    serve(request, response, next);
  };
}
