import { setTimeout as delay } from 'node:timers/promises';
import type { ServerMessage } from '../../../client/protocol/index.ts';
import { RawClient, type Sent } from '../raw-client.ts';
import type { ClientPlace, EditorClient } from './editor-client.ts';
import type { Said } from './history.ts';

const answerMs = 30_000;
const openMs = 90_000;
const retryMs = 100;

/** Somebody who looks on while others write, by hand on the wire, and goes on with its session as editors do. */
export class Viewer implements EditorClient {
  readonly name: string;
  readonly #place: ClientPlace;
  readonly #editorType: number;
  #client: RawClient | null = null;
  #connection = 0;
  #session: { sessionId: string; timeConnect: unknown; token: unknown; indexUser: number } | null = null;
  #inSession = false;
  #ended = false;
  #shown = 0;
  #newestTime = -1;
  #isConnecting = false;

  constructor(place: ClientPlace, editorType: number) {
    this.#place = place;
    this.#editorType = editorType;
    this.name = place.client;
    const { client, userId, key, history } = place;
    history.record({ kind: 'joins', client, key, userId, family: 'viewer', editorType });
  }

  get isAlive(): boolean {
    return !this.#ended;
  }

  get position(): number {
    return this.#shown;
  }

  get isSettled(): boolean {
    return this.#inSession;
  }

  async open(): Promise<void> {
    await this.#connectPatiently(Date.now() + openMs);
    if (!this.#inSession) this.#end('not let in');
  }

  async act(): Promise<void> {
    const { random } = this.#place;
    const what = random();
    const client = this.#client;
    if (!client || !this.#inSession) return;
    if (what < 0.02) client.cut();
    else if (what < 0.05) {
      client.stopReading();
      await delay(500 + random() * 3_000);
      client.readAgain();
    }
  }

  async acquire(): Promise<boolean> {
    return false;
  }

  releaseLocks(): void {}

  texts(): null {
    return null;
  }

  async leave(inOrder: boolean): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#inSession = false;
    const client = this.#client;
    if (inOrder) await Promise.race([client?.leave(), delay(2_000, undefined, { ref: false })]);
    client?.cut();
    this.#place.history.record({ kind: 'ends', client: this.name, told: null });
  }

  async #connectPatiently(deadline: number): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    while (!this.#ended && !this.#inSession && Date.now() < deadline) {
      await this.#connect().catch(() => this.#client?.cut());
      if (!this.#inSession && !this.#ended) await delay(retryMs + this.#place.random() * retryMs);
    }
    this.#isConnecting = false;
  }

  /** One connection: from its opening to `auth`. */
  async #connect(): Promise<void> {
    const { history, address, key, random } = this.#place;
    const connection = history.connects(this.name);
    this.#connection = connection;
    if (!this.#session) this.#shown = 0;
    const client = await RawClient.open(address, key, {
      transport: random() < 0.3 ? 'plain' : 'socket.io',
      tap: (direction, message) => {
        const kind = direction === 'sent' ? 'sends' : 'hears';
        history.record({ kind, connection, message: message as unknown as Said });
        if (kind === 'hears') this.#hear(message as ServerMessage);
      },
    }).catch((error: unknown) => {
      history.record({ kind: 'loses', connection, how: 'lost', detail: String(error) });
      throw error;
    });
    this.#client = client;
    if (this.#ended) client.cut();
    void client.closed.then(({ code, dismissed }) => {
      const how = dismissed ? 'dismissed' : 'lost';
      history.record({ kind: 'loses', connection, how, detail: String(code) });
      if (this.#connection !== connection) return;
      this.#inSession = false;
      if (dismissed) this.#end('dismissed');
      else if (this.#session) void this.#connectPatiently(Number.POSITIVE_INFINITY);
    });
    if (!client.isPlain) await client.join();
    await client.next('license', () => true, answerMs);
    client.send(this.#auth());
    const { sessionId, sessionTimeConnect, jwt, indexUser } = await client.next('auth', () => true, answerMs);
    const token = jwt ?? this.#session?.token;
    this.#session = { sessionId, timeConnect: sessionTimeConnect, token, indexUser };
    this.#inSession = !this.#ended;
  }

  #auth(): Sent {
    const { key, userId, sourceUrl, callbackUrl, model } = this.#place;
    const session = this.#session;
    return {
      type: 'auth',
      docid: key,
      documentCallbackUrl: callbackUrl,
      token: 'fghhfgsjdgfjs',
      user: { id: userId, username: `Name of ${userId}`, indexUser: session?.indexUser ?? -1 },
      editorType: this.#editorType,
      lastOtherSaveTime: this.#newestTime,
      block: [],
      sessionId: session?.sessionId ?? null,
      sessionTimeConnect: session?.timeConnect ?? null,
      sessionTimeIdle: 0,
      documentFormatSave: 65,
      isCloseCoAuthoring: false,
      ...(session === null && {
        openCmd: {
          ...{ c: 'open', id: key, userid: userId, format: 'docx', url: sourceUrl, title: 'Faults.docx' },
          // Who opens a document first chooses its model.
          ...(model === null ? {} : { model }),
        },
      }),
      lang: 'en',
      mode: 'view',
      permissions: { edit: false },
      coEditingMode: 'fast',
      ...(session ? { jwtSession: session.token } : { jwtOpen: '' }),
      supportAuthChangesAck: true,
    };
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case 'authChanges':
        this.#see(this.#shown + message.changes.length, message.changes);
        this.#client?.send({ type: 'authChangesAck' });
        break;
      case 'saveChanges':
        this.#see(message.changesIndex, message.changes);
        break;
      case 'documentOpen':
        if (message.data.status === 'updateversion' || message.data.status.startsWith('err'))
          this.#end(`the document is ${message.data.status}`);
        break;
      case 'error':
      case 'drop':
      case 'disconnectReason':
        this.#end(`${message.type} ${message.code ?? ''} ${message.description ?? ''}`);
        break;
      default:
        break;
    }
  }

  #see(endIndex: number, changes: readonly { time: number }[]): void {
    this.#shown = Math.max(this.#shown, endIndex);
    this.#newestTime = changes.at(-1)?.time ?? this.#newestTime;
  }

  #end(told: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inSession = false;
    this.#place.history.record({ kind: 'ends', client: this.name, told });
    const client = this.#client;
    setTimeout(() => client?.cut(), 50).unref();
  }
}
