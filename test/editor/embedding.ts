import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type BuildEnvironmentOptions, build } from 'vite';

const editorFolder = path.resolve(import.meta.dirname, '../../editor');

/** A file as a server sends it, by its path. */
type Files = Map<string, { content: string | Uint8Array; type: string }>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Below which sub-path and version prefix the tests have their server. */
export const appsPath = '/office/9.3.0-tag/web-apps/apps/';

/** An editor of which the tests can see what it is sent; it talks through the same bridge as real ones. */
const fakeEditor = `
import { connectToHost } from '${editorFolder}/frame/host-bridge.ts';
import { commandSchemas } from '${editorFolder}/frame/host-commands.ts';
window.raw = [];
window.heard = [];
addEventListener('message', ({ data }) => window.raw.push(data));
window.bridge = connectToHost();
for (const name of Object.keys(commandSchemas)) window.bridge.on(name, (data) => window.heard.push([name, data]));
window.bridge.ready.then((config) => { window.config = config; });
`;

async function built(
  options: BuildEnvironmentOptions,
  extra: object = {},
): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    root: editorFolder,
    base: './',
    configFile: false,
    logLevel: 'error',
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
    build: { write: false, modulePreload: { polyfill: false }, ...options },
    ...extra,
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  return new Map(outputs.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
}

/** The script that pages load, built as for production. */
export async function buildScript(): Promise<string> {
  const result = await build({
    configFile: path.join(editorFolder, 'api/vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
  });
  const [first] = Array.isArray(result) ? result : [result];
  const chunk = 'output' in first! ? first.output.find((file) => file.fileName === 'api.js') : undefined;
  if (chunk?.type !== 'chunk') throw new Error('the build made no api.js');
  return chunk.code;
}

/** The pages that exist in the sources, and the fake editor in the place of the real ones. */
async function buildPages(): Promise<Map<string, string | Uint8Array>> {
  const input = path.join(editorFolder, 'preload/index.html');
  const name = 'virtual:fake-editor';
  const plugin = {
    name: 'fake-editor',
    resolveId: (id: string) => (id === name ? `\0${name}.js` : null),
    load: (id: string) => (id === `\0${name}.js` ? fakeEditor : null),
  };
  return built({ rollupOptions: { input: [input, name] } }, { plugins: [plugin] });
}

const html = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Page</title></head><body>${body}</body></html>`;

/**
 * A server of editors and pages of another origin that embed them. The servers have one address but different names
 * for it (`localhost`, `127.0.0.1`), which makes them two sites for the browser.
 */
export class Embedding {
  readonly script: string;
  readonly #editors: Server;
  readonly #hosts: Server;

  private constructor(script: string, editors: Server, hosts: Server) {
    this.script = script;
    this.#editors = editors;
    this.#hosts = hosts;
  }

  static async open(): Promise<Embedding> {
    const [script, pages] = await Promise.all([buildScript(), buildPages()]);
    const files: Files = new Map();
    const add = (name: string, content: string | Uint8Array): void => {
      files.set(appsPath + name, { content, type: types[path.extname(name)] ?? 'application/octet-stream' });
    };
    add('api/documents/api.js', script);
    for (const [name, content] of pages) add(`quire/${name}`, content);
    const editorFile = [...pages.keys()].find((name) => name.includes('fake-editor') && name.endsWith('.js'));
    add('quire/word/index.html', html(`<script type="module" src="../${editorFile}"></script>`));
    const editors = await listen(files);
    const hosts = await listen(new Map());
    const embedding = new Embedding(script, editors, hosts);
    const scriptAddress = (query: string) =>
      `${embedding.editorsAddress}${appsPath}api/documents/api.js${query}`;
    const places = '<div id="first"></div><div id="second"></div>';
    const hostPages: Files = new Map([
      [
        '/',
        {
          content: html(`${places}<script src="${scriptAddress('?shardkey=shard-1')}"></script>`),
          type: types['.html']!,
        },
      ],
      [
        '/preload',
        {
          content: html(`<script src="${scriptAddress('?preload=first')}"></script>${places}`),
          type: types['.html']!,
        },
      ],
      ['/empty', { content: html(places), type: types['.html']! }],
    ]);
    serve(hosts, hostPages);
    return embedding;
  }

  get editorsAddress(): string {
    return `http://localhost:${(this.#editors.address() as AddressInfo).port}`;
  }

  get hostAddress(): string {
    return `http://127.0.0.1:${(this.#hosts.address() as AddressInfo).port}`;
  }

  /** The pages of the host under an origin that nobody has heard of. */
  get strangerAddress(): string {
    return `http://localhost:${(this.#hosts.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const server of [this.#editors, this.#hosts]) {
      server.closeAllConnections();
      server.close();
    }
    await Promise.all([this.#editors, this.#hosts].map((server) => once(server, 'close')));
  }
}

async function listen(files: Files): Promise<Server> {
  const server = createServer();
  serve(server, files);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function serve(server: Server, files: Files): void {
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const file = files.get(new URL(request.url ?? '/', 'http://any').pathname);
    if (!file) response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    else response.writeHead(200, { 'content-type': file.type }).end(file.content);
  });
}
