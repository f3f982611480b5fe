import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import { pino } from 'pino';
import { type DocumentSummary, personHeader, type VersionSummary } from '../../example/api.ts';
import type { ExampleLimits } from '../../example/server/document-store.ts';
import { exampleRouter } from '../../example/server/example-router.ts';

export const exampleSecret = 'a secret of the example that is long enough';
const secret = Buffer.from(exampleSecret);

/** A command as the document server was given it. */
export type Command = Record<string, unknown> & { c: string; key: string };

interface Details {
  document: DocumentSummary;
  versions: VersionSummary[];
  callbacks: { status: number; users: string[]; version?: number; problem?: string }[];
}

/** The example on a port of its own, beside a document server that is played by the test. */
export class ExampleWorld {
  readonly directory: string;
  readonly commands: Command[] = [];
  /** Files of the document server by path. */
  readonly files = new Map<string, Uint8Array>();
  /** What the document server answers to a command; may do more. */
  answer: (command: Command) => Promise<Record<string, unknown>> = async () => ({ error: 1 });
  readonly #limits: Partial<ExampleLimits>;
  #documentServer!: Server;
  #example!: Server;

  private constructor(directory: string, limits: Partial<ExampleLimits>) {
    this.directory = directory;
    this.#limits = limits;
  }

  static async open(limits: Partial<ExampleLimits> = {}): Promise<ExampleWorld> {
    // Hidden, like a checkout or data below `~/.local`.
    const directory = await mkdtemp(path.join(tmpdir(), '.quire-example-'));
    const world = new ExampleWorld(directory, limits);
    world.#documentServer = await world.#listen(world.#playDocumentServer());
    await world.#startExample();
    return world;
  }

  get documentServerAddress(): string {
    return addressOf(this.#documentServer);
  }

  /** Where the example is, without a slash at the end. */
  get address(): string {
    return `${addressOf(this.#example)}/example`;
  }

  /** Stops the example and starts it on the same directory. */
  async restart(): Promise<void> {
    await close(this.#example);
    await this.#startExample();
  }

  async close(): Promise<void> {
    await Promise.all([close(this.#example), close(this.#documentServer)]);
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A request as an account's page makes it. */
  ask(method: string, where: string, { as = 'ann', body }: { as?: string; body?: unknown } = {}) {
    return fetch(`${this.address}/${where}`, {
      method,
      headers: { [personHeader]: as, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** The answer of a request that must succeed. */
  async get<Answer = Record<string, unknown>>(where: string): Promise<Answer> {
    const response = await this.ask('GET', where);
    if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  details(id: string): Promise<Details> {
    return this.get<Details>(`api/documents/${id}`);
  }

  async create(title = 'Plan', template = 'minutes'): Promise<DocumentSummary> {
    const response = await this.ask('POST', 'api/documents', { body: { template, title } });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as DocumentSummary;
  }

  upload(name: string, bytes: Uint8Array, as = 'ann'): Promise<Response> {
    return fetch(`${this.address}/api/documents/upload?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { [personHeader]: as },
      body: Buffer.from(bytes),
    });
  }

  /** The configuration an account opens a document with. */
  config(id: string, as = 'ann', more = ''): Promise<OpenedConfig> {
    return this.get<OpenedConfig>(`api/documents/${id}/config?as=${as}${more}`);
  }

  /** Puts a file on the document server; returns the link it would give out. */
  hold(name: string, bytes: Uint8Array): string {
    const filePath = `/cache/files/data/${encodeURIComponent(name)}`;
    this.files.set(filePath, bytes);
    // The address that browsers use, which servers need not reach.
    return `https://documents.example.test/sub/path${filePath}?md5=x&expires=9`;
  }

  /** Reports as the document server does. */
  async callback(id: string, body: Record<string, unknown>): Promise<Response> {
    return this.post(id, { ...body, token: await sign(body) });
  }

  /** Sends a report as it is, for those who have no secret. */
  post(id: string, body: unknown): Promise<Response> {
    return fetch(`${this.address}/callback/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Fetches a document's file as the document server does. */
  async fetchSource(url: string, claims: Record<string, unknown> = { payload: { url } }): Promise<Response> {
    return fetch(url, { headers: { authorization: `Bearer ${await sign(claims)}` } });
  }

  async #startExample(): Promise<void> {
    let own = '';
    const app = express();
    const address = (base: () => string) => ({ forBrowsers: base, forServers: base });
    app.use(
      '/example',
      await exampleRouter({
        directory: path.join(this.directory, 'documents'),
        secrets: { own: exampleSecret, documentServer: exampleSecret, tokenPrefix: 'Bearer ' },
        tokenHeader: 'authorization',
        documentServer: address(() => this.documentServerAddress),
        own: address(() => `${own}/example`),
        webDirectory: path.join(this.directory, 'web'),
        guide: path.join(this.directory, 'guide.md'),
        limits: this.#limits,
        log: pino({ level: 'silent' }),
      }),
    );
    this.#example = await this.#listen(app);
    own = addressOf(this.#example);
  }

  #playDocumentServer(): express.Express {
    const app = express();
    app.post('/command', express.json(), async (request, response) => {
      const { payload } = await jwtVerify(String((request.body as { token: string }).token), secret);
      const command = payload as unknown as Command;
      this.commands.push(command);
      response.json(await this.answer(command));
    });
    app.use((request, response) => {
      const file = this.files.get(request.path);
      if (file) response.send(Buffer.from(file));
      else response.sendStatus(404);
    });
    return app;
  }

  async #listen(app: express.Express): Promise<Server> {
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }
}

/** A configuration as the pages get it. */
export interface OpenedConfig {
  document: { key: string; url: string; title: string; permissions: Record<string, boolean> };
  editorConfig: { mode: string; callbackUrl?: string; user: { id: string; name: string } };
  token: string;
}

/** A token as both sides make it. */
export function sign(claims: Record<string, unknown>, expires = '5m'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(secret);
}

/** The claims of a token, which must be signed with the example's secret. */
export async function claimsOf(token: string): Promise<Record<string, unknown>> {
  await jwtVerify(token, secret);
  return decodeJwt(token);
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
