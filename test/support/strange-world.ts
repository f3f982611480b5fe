import type { IncomingMessage } from 'node:http';
import { SignJWT } from 'jose';
import { eventually } from './eventually.ts';
import { patienceMs } from './patience.ts';
import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import { RawClient, type Sent } from './raw-client.ts';
import { docxOf } from './sized-bodies.ts';
import { framedAnswers, type WireAnswer } from './wire-answers.ts';
import { type WireServed, WireServer } from './wire-server.ts';

const secret = 'a secret of the strange world that is long enough';
const asItShould = framedAnswers[0]!;

/** A request of a WOPI host: the value of `X-WOPI-Override`, or which of the two that have none. */
export type WopiRequest = 'CheckFileInfo' | 'GetFile' | 'LOCK' | 'PUT';

/** What is at an address, and how requests for it are answered. */
export interface StrangePlace {
  answer: WireAnswer;
  body: Buffer;
  /** Which requests are answered so; all of an address that is none of a WOPI file. */
  of?: WopiRequest;
  /** Size of a WOPI file, bytes, as its host tells it. */
  toldBytes?: number;
  /** Its address, where a server other than the hand-made one has it. */
  elsewhere?: string;
}

/** One server, whose storages, integrators and hosts are one hand-made server. */
export class StrangeWorld {
  readonly quire: QuireProcess;
  readonly database: TestDatabase;
  readonly #wire: WireServer;
  readonly #places: StrangePlace[];
  readonly #pid: number | null;
  #keys = 0;

  private constructor(quire: QuireProcess, database: TestDatabase, wire: WireServer, places: StrangePlace[]) {
    this.quire = quire;
    this.database = database;
    this.#wire = wire;
    this.#places = places;
    this.#pid = quire.pid;
  }

  static async open(): Promise<StrangeWorld> {
    const places: StrangePlace[] = [];
    const choose = (request: IncomingMessage) => chosen(request, places);
    const [wire, database] = await Promise.all([WireServer.start(choose), openTestDatabase()]);
    try {
      const quire = await QuireProcess.start({
        DATABASE_URL: database.url,
        JWT_SECRET: secret,
        ALLOW_PRIVATE_IP_ADDRESS: 'true',
        WOPI_ENABLED: 'true',
        WOPI_HOSTS: wire.address,
        // Whoever stops in an answer is given up in tens of seconds instead of minutes.
        DOWNLOAD_TIMEOUT_MS: '20000',
        CALLBACK_TIMEOUT_MS: '10000',
      });
      return new StrangeWorld(quire, database, wire, places);
    } catch (error) {
      await Promise.all([wire.close(), database.close()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.quire.remove();
    await Promise.all([this.#wire.close(), this.database.close()]);
  }

  /** Whether it is the process that was started, and says that it is well. */
  async isAlive(): Promise<boolean> {
    if (this.quire.pid === null || this.quire.pid !== this.#pid) return false;
    const response = await fetch(`${this.quire.address}/healthcheck`);
    return (await response.text()) === 'true';
  }

  /** Whether the server's log gets such a line, with an address of what was met; or with any, where that leads elsewhere. */
  async says(what: RegExp, place: StrangePlace): Promise<boolean> {
    return eventually(
      async () => this.#hasSaid(what, place),
      (hasSaid) => hasSaid,
    ).catch(() => false);
  }

  #hasSaid(what: RegExp, { answer, body }: Pick<StrangePlace, 'answer' | 'body'>): boolean {
    const addresses = this.#places.flatMap((place, index) =>
      place.answer === answer && place.body === body ? [addressPattern(index)] : [],
    );
    const isOfIt = (line: string) => answer.leadsAway || addresses.some((address) => address.test(line));
    return this.quire.log.map((line) => JSON.stringify(line)).some((line) => what.test(line) && isOfIt(line));
  }

  /** The address of a place; each is another one. */
  addressOf(place: StrangePlace, extension: string): string {
    if (place.elsewhere !== undefined) return place.elsewhere;
    this.#places.push(place);
    return `${this.#wire.address}/places/${this.#places.length - 1}.${extension}`;
  }

  /** The address of the hand-made server, all of whose answers are those of a place: for the client of S3. */
  bucketOf(place: StrangePlace): string {
    this.#places.push(place);
    return `${this.#wire.address}/places/${this.#places.length - 1}`;
  }

  /** The address of a file of a WOPI host. */
  wopiSourceOf(place: StrangePlace): string {
    this.#places.push(place);
    return `${this.#wire.address}/wopi/files/${this.#places.length - 1}`;
  }

  /** Where a document and its integrator are that do everything right. */
  get goodSource(): string {
    return this.addressOf({ answer: asItShould, body: docxOf(10_000) }, 'docx');
  }

  get goodCallback(): string {
    return this.addressOf({ answer: asItShould, body: Buffer.from('{"error":0}') }, 'json');
  }

  /** The key of a document that is known and that nobody is in. */
  async closedDocument(): Promise<string> {
    const { client, key } = await this.open(this.goodSource, this.goodCallback);
    await client.leave();
    const stateOf = async () =>
      (await this.database.pool.query('SELECT state FROM documents WHERE key = $1', [key])).rows[0]?.state;
    await eventually(stateOf, (state) => state === 'closed' || state === 'idle', patienceMs);
    return key;
  }

  newKey(): string {
    this.#keys += 1;
    return `strange-${this.#keys}`;
  }

  sign(claims: Sent): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
  }

  /** Posts parameters to the server, signed. */
  async post(path: string, claims: Sent, more: Sent = {}): Promise<Response> {
    return fetch(this.quire.address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...more, token: await this.sign(claims) }),
    });
  }

  /** Somebody who opens a document from an address, with what they are answered. */
  async open(url: string, callbackUrl: string): Promise<{ client: RawClient; key: string; data: Opened }> {
    const key = this.newKey();
    const permissions = { edit: true };
    const token = await this.sign({
      document: { key, url, fileType: 'docx', title: 'a.docx', permissions },
      editorConfig: { mode: 'edit', user: { id: 'ann', name: 'Ann' }, callbackUrl },
    });
    return { ...(await this.openWith(key, token, { documentCallbackUrl: callbackUrl, url })), key };
  }

  /** The same with a token that is there already. */
  async openWith(
    key: string,
    token: string,
    { url, ...changes }: Sent = {},
  ): Promise<{ client: RawClient; data: Opened }> {
    const client = await RawClient.connect(this.quire.address, key, { handshake: { token } });
    client.send({
      ...{ type: 'auth', docid: key, token: 'x', jwtOpen: token, editorType: 0, lastOtherSaveTime: -1 },
      ...{ user: { id: 'ann', username: 'Ann', indexUser: -1 }, block: [], sessionTimeIdle: 0 },
      ...{ isCloseCoAuthoring: false, mode: 'edit', permissions: { edit: true }, coEditingMode: 'fast' },
      openCmd: {
        ...{ c: 'open', id: key, userid: 'ann', format: 'docx', url, title: 'a.docx', lcid: 9 },
        nobase64: true,
      },
      ...changes,
    });
    const { data } = await client.next('documentOpen', () => true, answerWithinMs);
    return { client, data: data as Opened };
  }
}

/** What an opening was answered with. */
export type Opened = { status: string; data: unknown };

/** Longer than four attempts with time-outs of all kinds, milliseconds: what takes longer hangs. */
export const answerWithinMs = 170_000;

const info = (name: string, sizeBytes: number) => ({
  ...{ BaseFileName: name, Size: sizeBytes, Version: '1', OwnerId: 'owner', UserId: 'ann' },
  ...{ UserCanWrite: true, SupportsUpdate: true, SupportsLocks: true },
});

/** What a WOPI host tells of a file. */
export const wopiInfo = (sizeBytes: number): object => info('a.docx', sizeBytes);

const addressPattern = (index: number): RegExp => new RegExp(`/(places|wopi/files)/${index}\\b`);

function chosen({ url = '', method, headers }: IncomingMessage, places: readonly StrangePlace[]): WireServed {
  const [, isWopi, index, contents] = /\/(places|wopi\/files)\/(\d+)(?:\.\w+)?(\/contents)?/.exec(url) ?? [];
  const place = places[Number(index)]!;
  if (isWopi === 'places') return place;
  const override = headers['x-wopi-override'];
  const asked = override ?? (method === 'GET' && contents ? 'GetFile' : 'CheckFileInfo');
  if (asked === place.of) return place;
  const sizeBytes = place.toldBytes ?? place.body.length;
  if (asked === 'GetFile') return { answer: asItShould, body: Buffer.alloc(sizeBytes) };
  const told = asked === 'CheckFileInfo' ? wopiInfo(sizeBytes) : {};
  return { answer: asItShould, body: Buffer.from(JSON.stringify(told)) };
}
