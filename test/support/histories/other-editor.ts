import { setTimeout as delay } from 'node:timers/promises';
import type { ServerMessage } from '../../../client/protocol/index.ts';
import { RawClient, type Sent } from '../raw-client.ts';
import { blocks, type ClientPlace, type EditorClient, pick } from './editor-client.ts';
import type { Said } from './history.ts';

const answerMs = 30_000;
const openMs = 90_000;
const retryMs = 100;
/** Editors of others ask again after this long when they are refused the turn to save. */
const refusedMs = 300;

interface Session {
  id: string;
  sessionId: string;
  timeConnect: unknown;
  token: unknown;
  indexUser: number;
}

interface Pending {
  changes: readonly string[];
  deleteIndex: number | null;
  releaseLocks: boolean;
  /** Whether it was sent on an earlier connection. */
  again: boolean;
}

/**
 * An editor as others make them, by hand on the wire: it knows nothing of our extensions, goes on with a session by the
 * time of others' newest save, takes back what it has saved while it is alone, and repeats a save whose answer it lost.
 */
export class OtherEditor implements EditorClient {
  readonly name: string;
  readonly #place: ClientPlace;
  readonly #editorType: number;
  #client: RawClient | null = null;
  #connection = 0;
  #session: Session | null = null;
  #inSession = false;
  #ended = false;
  #view: { change: string; own: boolean }[] = [];
  #lastOtherSaveTime = -1;
  #held: unknown[] = [];
  #editors = 1;
  #pending: Pending | null = null;
  #wanted: string[] = [];
  #made = 0;
  #working: Promise<void> | null = null;
  #isComingBack = false;

  constructor(place: ClientPlace, editorType: number) {
    this.#place = place;
    this.#editorType = editorType;
    this.name = place.client;
    const { client, userId, key, history } = place;
    history.record({ kind: 'joins', client, key, userId, family: 'other', editorType });
  }

  get isAlive(): boolean {
    return !this.#ended;
  }

  get position(): number {
    return this.#view.length;
  }

  get isSettled(): boolean {
    return this.#inSession && this.#pending === null && this.#wanted.length === 0 && this.#working === null;
  }

  async open(): Promise<void> {
    const deadline = Date.now() + openMs;
    while (!this.#ended && !this.#inSession && Date.now() < deadline) {
      await this.#connect().catch(() => this.#client?.cut());
      if (!this.#inSession && !this.#ended) await delay(retryMs + this.#place.random() * retryMs);
    }
    if (!this.#inSession) this.#end('not let in');
  }

  async act(): Promise<void> {
    const { random } = this.#place;
    if (!this.#inSession || this.#working !== null) return;
    if (random() < this.#place.undoes) return this.#takeBack();
    const what = random();
    if (what < 0.78) this.#save(this.#newChanges(), null);
    else if (what < 0.87) await this.acquire([pick(blocks, random)]);
    else if (what < 0.95) this.releaseLocks();
    else if (what < 0.98) await this.#readSlowly();
    else this.#client?.cut();
  }

  async acquire(of: readonly string[]): Promise<boolean> {
    const client = this.#client;
    if (!client || !this.#inSession) return false;
    const block = of.map((one) => this.#blockOf(one));
    client.send({ type: 'getLock', block });
    const keys = block.map(keyOf);
    try {
      const { locks } = await client.next('getLock', (message) => keys[0]! in message.locks, answerMs);
      const granted = keys.every((key) => locks[key]?.user === this.#session?.id);
      if (granted) this.#held.push(...block);
      return granted;
    } catch {
      return false;
    }
  }

  releaseLocks(): void {
    this.#held = [];
    this.#client?.send({
      type: 'unLockDocument',
      isSave: false,
      unlock: false,
      deleteIndex: null,
      releaseLocks: true,
    });
  }

  texts(): null {
    return null;
  }

  async leave(inOrder: boolean): Promise<void> {
    this.#ended = true;
    const client = this.#client;
    if (inOrder && this.#inSession) client?.send({ type: 'close' });
    if (inOrder) await Promise.race([client?.leave(), delay(2_000, undefined, { ref: false })]);
    client?.cut();
    await this.#working;
    this.#place.history.record({ kind: 'ends', client: this.name, told: null });
  }

  #newChanges(): string[] {
    const count = 1 + Math.floor(this.#place.random() * 5);
    return Array.from({ length: count }, () => {
      this.#made += 1;
      return `${this.name}.${this.#made};${'AgAAAD'.repeat(1 + (this.#made % 4))}`;
    });
  }

  #blockOf(name: string): unknown {
    if (this.#editorType !== 1) return name;
    const column = blocks.indexOf(name) * 2;
    const c1 = column + Math.floor(this.#place.random() * 2);
    const rangeOrObjectId = { c1, r1: 0, c2: c1 + 1, r2: 9 };
    this.#made += 1;
    return { sheetId: 's1', type: 1, subType: null, guid: `${this.name}-${this.#made}`, rangeOrObjectId };
  }

  /** One connection: from its opening to `auth`. */
  async #connect(): Promise<void> {
    const { history, address, key, random } = this.#place;
    const connection = history.connects(this.name);
    this.#connection = connection;
    if (!this.#session) this.#view = [];
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
      history.record({
        kind: 'loses',
        connection,
        how: dismissed ? 'dismissed' : 'lost',
        detail: String(code),
      });
      if (this.#connection !== connection) return;
      this.#inSession = false;
      if (dismissed) this.#end('dismissed');
      else if (this.#session && !this.#ended) void this.#comeBack();
    });
    if (!client.isPlain) await client.join();
    await client.next('license', () => true, answerMs);
    client.send(this.#auth());
    const { session, isNew } = await this.#signedIn(client);
    this.#session = session;
    this.#inSession = true;
    if (isNew) await client.next('documentOpen', ({ data }) => data.status !== 'progress', answerMs);
    this.#goOn();
  }

  async #signedIn(client: RawClient): Promise<{ session: Session; isNew: boolean }> {
    const before = this.#session;
    const auth = await client.next('auth', () => true, openMs);
    const session: Session = {
      id: `${this.#place.userId}${auth.indexUser}`,
      sessionId: auth.sessionId,
      timeConnect: auth.sessionTimeConnect,
      token: auth.jwt ?? before?.token,
      indexUser: auth.indexUser,
    };
    return { session, isNew: before === null };
  }

  async #comeBack(): Promise<void> {
    if (this.#isComingBack) return;
    this.#isComingBack = true;
    while (!this.#ended && !this.#inSession) {
      await delay(retryMs + this.#place.random() * retryMs);
      if (!this.#ended && !this.#inSession) await this.#connect().catch(() => this.#client?.cut());
    }
    this.#isComingBack = false;
  }

  #auth(): Sent {
    const { key, userId, sourceUrl, callbackUrl } = this.#place;
    const session = this.#session;
    const user = { id: userId, username: `Name of ${userId}`, firstname: null, lastname: null };
    return {
      type: 'auth',
      docid: key,
      documentCallbackUrl: callbackUrl,
      token: 'fghhfgsjdgfjs',
      user: { ...user, indexUser: session?.indexUser ?? -1 },
      editorType: this.#editorType,
      lastOtherSaveTime: this.#lastOtherSaveTime,
      block: this.#held,
      sessionId: session?.sessionId ?? null,
      sessionTimeConnect: session?.timeConnect ?? null,
      sessionTimeIdle: 0,
      documentFormatSave: 65,
      isCloseCoAuthoring: false,
      ...(session === null && {
        openCmd: { c: 'open', id: key, userid: userId, format: 'docx', url: sourceUrl, title: 'Faults.docx' },
      }),
      lang: 'en',
      mode: 'edit',
      permissions: { edit: true },
      encrypted: false,
      IsAnonymousUser: false,
      timezoneOffset: -60,
      coEditingMode: 'fast',
      ...(session ? { jwtSession: session.token } : { jwtOpen: '' }),
      supportAuthChangesAck: true,
    };
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case 'authChanges':
        this.#see(this.#view.length, message.changes);
        this.#client?.send({ type: 'authChangesAck' });
        break;
      case 'saveChanges':
        this.#see(message.changesIndex - message.changes.length, message.changes);
        break;
      case 'releaseLock':
        this.#held = this.#held.filter(
          (held) =>
            !message.locks.some(
              ({ block, user }) => user === this.#session?.id && keyOf(block) === keyOf(held),
            ),
        );
        break;
      case 'connectState':
      case 'auth':
        if (message.participants) this.#editors = message.participants.filter(({ view }) => !view).length;
        if (message.type === 'connectState' && message.waitAuth)
          this.#client?.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
        break;
      case 'documentOpen':
        if (message.data.status === 'updateversion') this.#place.over();
        if (message.data.status !== 'ok') this.#end(`the document is ${message.data.status}`);
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

  #see(from: number, changes: readonly { change: string; user: string; time: number }[]): void {
    // What stands before them is stored and was not answered.
    while (this.#view.length < from) this.#view.push({ change: '', own: true });
    for (const [offset, { change, user, time }] of changes.entries()) {
      if (user !== this.#session?.id) this.#lastOtherSaveTime = time;
      if (from + offset < this.#view.length) continue;
      this.#view.push({ change: JSON.parse(change) as string, own: user === this.#session?.id });
    }
  }

  #takeBack(): void {
    if (this.#editors !== 1 || this.#view.length === 0) return;
    let own = 0;
    while (own < this.#view.length && own < 4 && this.#view[this.#view.length - 1 - own]!.own) own += 1;
    if (own === 0) return;
    const count = 1 + Math.floor(this.#place.random() * own);
    this.#save(this.#newChanges(), this.#view.length - count);
  }

  #save(changes: readonly string[], deleteIndex: number | null): void {
    const releaseLocks = this.#place.random() < 0.2;
    this.#pending ??= { changes, deleteIndex, releaseLocks, again: false };
    this.#goOn();
  }

  #goOn(): void {
    if (this.#working || !this.#pending || !this.#inSession) return;
    this.#working = this.#savePending()
      .catch(async () => {
        this.#client?.cut();
        await delay(refusedMs);
      })
      .finally(() => {
        this.#working = null;
        if (this.#inSession && this.#pending) this.#goOn();
      });
  }

  /** Asks for the turn and saves; what is not answered stays pending for the next connection. */
  async #savePending(): Promise<void> {
    const client = this.#client!;
    const pending = this.#pending!;
    for (;;) {
      client.send({ type: 'isSaveLock', syncChangesIndex: this.#view.length });
      const { saveLock } = await client.next('saveLock', () => true, answerMs);
      if (!saveLock) break;
      await delay(refusedMs);
    }
    // The others have come in the meantime: it is not alone any more, and what they were given stays.
    if (pending.deleteIndex !== null && !pending.again && this.#editors !== 1) {
      this.#pending = { ...pending, deleteIndex: null };
    }
    const { changes, deleteIndex, releaseLocks, again } = this.#pending!;
    this.#pending = { changes, deleteIndex, releaseLocks, again: true };
    client.send({
      type: 'saveChanges',
      changes: JSON.stringify(changes),
      startSaveChanges: true,
      endSaveChanges: true,
      isCoAuthoring: this.#editors > 1,
      isExcel: false,
      deleteIndex,
      unlock: false,
      releaseLocks,
      ...(again && { reSave: 2 }),
    });
    if (releaseLocks) this.#held = [];
    const { syncChangesIndex } = await client.next('unSaveLock', () => true, answerMs);
    if (deleteIndex !== null && deleteIndex < this.#view.length) this.#view.length = deleteIndex;
    if (syncChangesIndex > this.#view.length) {
      for (const change of changes) this.#view.push({ change, own: true });
    }
    this.#pending = null;
  }

  /** Does not read for a while: what comes piles up at the server. */
  async #readSlowly(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    client.stopReading();
    await delay(500 + this.#place.random() * 3_000);
    client.readAgain();
  }

  #end(told: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inSession = false;
    this.#place.history.record({ kind: 'ends', client: this.name, told });
    this.#client?.send({ type: 'close' });
    const client = this.#client;
    setTimeout(() => client?.cut(), 50).unref();
  }
}

const keyOf = (block: unknown): string =>
  typeof block === 'string' ? block : (block as { guid: string }).guid;
