import { unzipSync } from 'fflate';
import { WordSession } from '../../client/word/word-session.ts';
import { buildDocx } from './docx-fixture.ts';
import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import { type HostedFile, WopiTestHost } from './wopi-host.ts';
import { openWopiPage, type PageRequest, type WopiPage } from './wopi-page.ts';

/** A WOPI host with a docx of two paragraphs, and a server that it uses. */
export class WopiScene {
  readonly quire: QuireProcess;
  readonly host: WopiTestHost;
  readonly database: TestDatabase;
  readonly #sessions: WordSession[] = [];
  #files = 0;

  private constructor(quire: QuireProcess, host: WopiTestHost, database: TestDatabase) {
    this.quire = quire;
    this.host = host;
    this.database = database;
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<WopiScene> {
    const [host, database] = await Promise.all([WopiTestHost.start(), openTestDatabase()]);
    try {
      const quire = await QuireProcess.start({
        DATABASE_URL: database.url,
        CLOSING_GRACE_MS: '100',
        RECONNECT_GRACE_MS: '15000',
        CALLBACK_RETRY_PAUSE_MS: '200',
        WOPI_ENABLED: 'true',
        WOPI_HOSTS: host.address,
        WOPI_CONVERT_FROM: 'loopback',
        ...settings,
      });
      await host.trust(quire.address);
      return new WopiScene(quire, host, database);
    } catch (error) {
      await Promise.all([host.close(), database.close()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const { client } of this.#sessions) client.abort();
    await this.quire.remove();
    await Promise.all([this.host.close(), this.database.close()]);
  }

  newFile(bytes: Uint8Array = buildDocx({ paragraphs: ['First', 'Second'] }), name?: string): HostedFile {
    this.#files += 1;
    return this.host.add(`file-${this.#files}`, bytes, name);
  }

  /** Opens the page of an editor as a browser does: the host's form, posted. */
  async page(file: { id: string }, token: string, request: PageRequest = {}): Promise<WopiPage> {
    return openWopiPage(this.quire.address, this.host.sourceOf(file.id), token, request);
  }

  /** Somebody who opened a page goes into its document with the word model. */
  async join(page: WopiPage): Promise<WordSession> {
    const session = this.sessionOf(page);
    await session.open();
    return session;
  }

  /** The same without waiting for the document. */
  sessionOf(page: WopiPage): WordSession {
    const { document, editorConfig } = page.config;
    const session = new WordSession({
      url: this.quire.address,
      key: page.key,
      transport: 'websocket',
      token: page.token,
      clientId: `${editorConfig.user.id.replace(/[^\w.:-]/g, '').slice(0, 40)}-${this.#sessions.length}`,
      auth: {
        user: { id: editorConfig.user.id, username: editorConfig.user.name },
        permissions: document.permissions,
        mode: editorConfig.mode,
        coEditingMode: 'fast',
        openCmd: { format: 'docx', url: `${this.quire.address}/`, title: document.title },
      },
      reconnect: { initialDelayMs: 20, maxDelayMs: 250, attempts: 400 },
    });
    this.#sessions.push(session);
    return session;
  }

  /** Opens the page and goes into the document. */
  async edit(file: { id: string }, token: string): Promise<WordSession> {
    return this.join(await this.page(file, token));
  }

  async stateOf(key: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query('SELECT state FROM documents WHERE key = $1', [key]);
    return rows[0]?.state;
  }
}

/** The text of a docx, a line per paragraph. */
export function textOfDocx(bytes: Uint8Array): string {
  const xml = Buffer.from(unzipSync(bytes)['word/document.xml']!).toString('utf8');
  return [...xml.matchAll(/<w:p(?: [^>]*)?\/>|<w:p(?: [^>]*)?>.*?<\/w:p>/gs)]
    .map(([paragraph]) =>
      [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map((match) => match[1]).join(''),
    )
    .join('\n');
}
