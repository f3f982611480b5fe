import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { DocumentClient } from '../../client/document-client.ts';
import type { DocumentAuth, DocumentClientOptions, DocumentHooks } from '../../client/options.ts';
import { WordSession } from '../../client/word/word-session.ts';
import { TestIntegrator } from './integrator.ts';
import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';

const secret = 'an end-to-end secret that is long enough for HS256';

/** Who opens which document and how; what an integrator's page would say. */
export interface Visit {
  key: string;
  user: string;
  sourceUrl: string;
  transport?: DocumentClientOptions['transport'];
  mode?: 'edit' | 'view';
  /** Null: the page names no address for callbacks. */
  callbackUrl?: string | null;
  fileType?: string;
  /** The server's address if it is not reached directly. */
  address?: string;
}

/** A server with tokens on and a converter, its database, an integrator, and clients that come and go. */
export class EndToEndWorld {
  readonly quire: QuireProcess;
  readonly integrator: TestIntegrator;
  readonly database: TestDatabase;
  readonly #clients: DocumentClient[] = [];

  private constructor(quire: QuireProcess, integrator: TestIntegrator, database: TestDatabase) {
    this.quire = quire;
    this.integrator = integrator;
    this.database = database;
  }

  /** `settings` of the server, beside those of this world. */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<EndToEndWorld> {
    const [integrator, database] = await Promise.all([TestIntegrator.start(), openTestDatabase()]);
    try {
      const quire = await QuireProcess.start({
        DATABASE_URL: database.url,
        JWT_SECRET: secret,
        CLOSING_GRACE_MS: '200',
        ...settings,
      });
      return new EndToEndWorld(quire, integrator, database);
    } catch (error) {
      await Promise.all([integrator.close(), database.close()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.abort();
    await this.quire.remove();
    await Promise.all([this.integrator.close(), this.database.close()]);
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
      reconnect: { initialDelayMs: 20, maxDelayMs: 100 },
    };
  }

  /** Somebody who edits or reads the word model. */
  async join(visit: Visit): Promise<WordSession> {
    const session = new WordSession({ ...(await this.optionsOf(visit)), clientId: visit.user });
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
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().sign(Buffer.from(secret));
  }

  /** The claims of a token that the server signed. */
  async verify(token: string): Promise<JWTPayload> {
    return (await jwtVerify(token, Buffer.from(secret))).payload;
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
