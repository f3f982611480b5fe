import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type pg from 'pg';
import { CellSession } from '../../client/cell/cell-session.ts';
import { DocumentClient } from '../../client/document-client.ts';
import type { DocumentAuth, DocumentClientOptions, DocumentHooks } from '../../client/options.ts';
import { WordSession } from '../../client/word/word-session.ts';
import { TestIntegrator } from './integrator.ts';
import { openTestPool } from './postgres.ts';
import type { QuireProcess } from './quire-process.ts';
import { serverOfWorker } from './shared-server.ts';
import { type ServerOfMany, startWorldServer, type WorldTold, worldSecret } from './world-server.ts';

const signingKey = Buffer.from(worldSecret);

/** Who opens which document and how; what an integrator's page would say. */
export interface Visit {
  key: string;
  user: string;
  sourceUrl: string;
  transport?: DocumentClientOptions['transport'];
  /** How often the client tries to come back; as the library does unless given. */
  reconnectAttempts?: number;
  mode?: 'edit' | 'view';
  /** Null: the page names no address for callbacks. */
  callbackUrl?: string | null;
  fileType?: string;
  /** The server's address if it is not reached directly. */
  address?: string;
}

/** A server with tokens on and a converter, its database, an integrator, and clients that come and go. */
export class EndToEndWorld<Quire extends ServerOfMany = ServerOfMany> {
  readonly quire: Quire;
  readonly integrator: TestIntegrator;
  readonly database: { readonly pool: pg.Pool };
  readonly #clients: DocumentClient[] = [];
  readonly #leaveServer: () => Promise<void>;

  private constructor(
    quire: Quire,
    pool: pg.Pool,
    integrator: TestIntegrator,
    leaveServer: () => Promise<void>,
  ) {
    this.quire = quire;
    this.integrator = integrator;
    this.database = { pool };
    this.#leaveServer = leaveServer;
  }

  /** On the server of this worker: other files had and will have their documents there, so keys are made by `newName`. */
  static async open(): Promise<EndToEndWorld> {
    const [{ address, databaseUrl }, integrator] = await Promise.all([
      serverOfWorker<WorldTold>('world'),
      TestIntegrator.start(),
    ]);
    const pool = openTestPool(databaseUrl);
    return new EndToEndWorld({ address }, pool, integrator, () => pool.end());
  }

  /** On a server of its own: to be killed or looked into, or with `settings` beside those of every such world. */
  static async openOwn(
    settings: Readonly<Record<string, string>> = {},
  ): Promise<EndToEndWorld<QuireProcess>> {
    const integrator = await TestIntegrator.start();
    try {
      const { quire, database } = await startWorldServer(settings);
      return new EndToEndWorld(quire, database.pool, integrator, async () => {
        await quire.remove();
        await database.close();
      });
    } catch (error) {
      await integrator.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.abort();
    await this.#leaveServer();
    await this.integrator.close();
  }

  /** What a client is made with: the token an integrator would sign, and the page's words that go with it. */
  async optionsOf(visit: Visit): Promise<Omit<DocumentClientOptions, 'hooks'> & { auth: DocumentAuth }> {
    const { key, user, sourceUrl, mode = 'edit', fileType = 'docx' } = visit;
    const { transport = 'websocket', address = this.quire.address } = visit;
    const { callbackUrl = this.integrator.callbackUrl(key) } = visit;
    const permissions = { edit: mode === 'edit', chat: true };
    const title = `${key}.${fileType}`;
    const name = `Name of ${user}`;
    const token = await this.sign({
      document: { key, url: sourceUrl, fileType, title, permissions },
      editorConfig: { mode, user: { id: user, name }, ...(callbackUrl !== null && { callbackUrl }) },
    });
    return {
      url: address,
      key,
      transport,
      token,
      auth: {
        user: { id: user, username: name },
        permissions,
        mode,
        coEditingMode: 'fast',
        ...(callbackUrl !== null && { documentCallbackUrl: callbackUrl }),
        openCmd: { format: fileType, url: sourceUrl, title },
      },
      reconnect: {
        ...{ initialDelayMs: 20, maxDelayMs: 100 },
        ...(visit.reconnectAttempts !== undefined && { attempts: visit.reconnectAttempts }),
      },
    };
  }

  /** Somebody who edits or reads the word model. */
  async join(visit: Visit): Promise<WordSession> {
    const session = new WordSession({ ...(await this.optionsOf(visit)), clientId: visit.user });
    this.#clients.push(session.client);
    await session.open();
    return session;
  }

  /** Somebody who edits a workbook. */
  async joinWorkbook(visit: Visit): Promise<CellSession> {
    const session = new CellSession({ ...(await this.optionsOf(visit)), clientId: visit.user });
    this.#clients.push(session.client);
    await session.open();
    return session;
  }

  /** An editor that names no model and whose changes nobody else can read. */
  async joinOpaque(visit: Visit, hooks: DocumentHooks): Promise<DocumentClient> {
    const client = new DocumentClient({ ...(await this.optionsOf(visit)), hooks });
    this.#clients.push(client);
    await client.open();
    return client;
  }

  sign(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().sign(signingKey);
  }

  /** The claims of a token that the server signed. */
  async verify(token: string): Promise<JWTPayload> {
    return (await jwtVerify(token, signingKey)).payload;
  }

  /** `POST /command`, signed. */
  async command(claims: JWTPayload): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.quire.address}/command`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: await this.sign(claims) }),
    });
    return (await response.json()) as Record<string, unknown>;
  }
}
