import { SignJWT } from 'jose';
import type { ServerMessageOf } from '../../client/protocol/index.ts';
import { buildDocx } from './docx-fixture.ts';
import { TestIntegrator } from './integrator.ts';
import { newName } from './new-name.ts';
import { startNodes, type TestNodes } from './nodes.ts';
import { openTestDatabase, openTestPool, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import { RawClient, type RawClientOptions, type Sent } from './raw-client.ts';
import { serverOfWorker } from './shared-server.ts';
import {
  openSettings,
  quickSettings,
  type ServerOfMany,
  type WorldTold,
  worldSecret,
} from './world-server.ts';

/** The secret shared by the server and the integrator of a scene with tokens. */
export const sceneSecret = worldSecret;

export interface SceneOptions {
  /** Settings of the server. */
  environment?: Readonly<Record<string, string>>;
  /** Whether the server demands tokens; off unless set. */
  tokens?: boolean;
  /**
   * So many servers, among which the clients are spread in turn. `QUIRE_TEST_NODES` is for everything that does not say: the
   * tests of one server are run on several by it.
   */
  nodes?: number;
  /** The command that the server is started within. */
  within?: readonly string[];
}

/** A client and what it was told when it signed in. */
export interface SignedIn {
  client: RawClient;
  auth: ServerMessageOf<'auth'>;
}

/** Where a scene takes place. */
interface Stage<Quire> {
  readonly nodes: readonly [Quire, ...Quire[]];
  readonly database: TestDatabase;
  /** The Redis that several nodes have in common. */
  readonly redis: TestNodes['redis'] | null;
  /** The last errors of the servers, for failure messages. */
  errorText(): string;
  leave(): Promise<void>;
}

/** A server, its database and an integrator with a document: what every test of the services begins with. */
export class Scene<Quire extends ServerOfMany = QuireProcess> {
  readonly integrator: TestIntegrator;
  readonly #stage: Stage<Quire>;
  readonly #clients: RawClient[] = [];
  #connections = 0;

  private constructor(stage: Stage<Quire>, integrator: TestIntegrator) {
    this.#stage = stage;
    this.integrator = integrator;
    integrator.serve('document.docx', { bytes: buildDocx({ paragraphs: ['First', 'Second'] }) });
  }

  /** On a server of its own: to be killed or looked into, or with settings. */

  static async open({
    environment = {},
    tokens = false,
    nodes = Number(process.env.QUIRE_TEST_NODES ?? 1),
    within = [],
  }: SceneOptions = {}): Promise<Scene> {
    const stage = nodes > 1 ? openSeveral(nodes, environment, tokens) : openOne(environment, tokens, within);
    return Scene.#on(stage);
  }

  /** On a server of this worker that has a converter: other files had and will have their documents there. */
  static async openShared({ tokens = false }: Pick<SceneOptions, 'tokens'> = {}): Promise<SharedScene> {
    if (process.env.QUIRE_TEST_NODES) {
      return Scene.open({ tokens, environment: tokens ? {} : { CONVERTER_PROCESSES: '1' } });
    }
    return Scene.#on(openShared(tokens ? 'world' : 'open-world'));
  }

  static async #on<Quire extends ServerOfMany>(opening: Promise<Stage<Quire>>): Promise<Scene<Quire>> {
    const integrator = await TestIntegrator.start();
    try {
      return new Scene(await opening, integrator);
    } catch (error) {
      await integrator.close();
      throw error;
    }
  }

  get quire(): Quire {
    return this.nodes[0];
  }

  /** The servers. */
  get nodes(): readonly [Quire, ...Quire[]] {
    return this.#stage.nodes;
  }

  get database(): TestDatabase {
    return this.#stage.database;
  }

  /** The Redis that several nodes have in common; null where there is one server. */
  get redis(): TestNodes['redis'] | null {
    return this.#stage.redis;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.cut();
    await this.#stage.leave();
    await this.integrator.close();
  }

  /** A document key nobody has used. */
  newKey(): string {
    return newName('document');
  }

  /** A realistic `auth` message of a first opening. */
  authMessage(key: string, user: string, changes: Sent = {}): Sent {
    return {
      type: 'auth',
      docid: key,
      documentCallbackUrl: this.integrator.callbackUrl(key),
      token: 'fghhfgsjdgfjs',
      user: { id: user, username: `Name of ${user}`, firstname: null, lastname: null, indexUser: -1 },
      editorType: 0,
      lastOtherSaveTime: -1,
      block: [],
      sessionId: null,
      sessionTimeConnect: null,
      sessionTimeIdle: 0,
      documentFormatSave: 65,
      isCloseCoAuthoring: false,
      openCmd: {
        c: 'open',
        id: key,
        userid: user,
        format: 'docx',
        url: `${this.integrator.address}/files/document.docx`,
        title: 'document.docx',
        lcid: 9,
        nobase64: true,
        outputformat: 8193,
      },
      lang: 'en',
      mode: 'edit',
      permissions: { edit: true },
      encrypted: false,
      IsAnonymousUser: false,
      timezoneOffset: -60,
      coEditingMode: 'fast',
      jwtOpen: '',
      time: 518,
      supportAuthChangesAck: true,
      ...changes,
    };
  }

  /** The `auth` message of a client that comes back to its session without a token of its session. */
  returningMessage({ client, auth }: SignedIn, changes: Sent = {}): Sent {
    const me = auth.participants!.find((one) => one.connectionId === client.connectionId)!;
    return this.authMessage(client.key, me.idOriginal, {
      user: {
        id: me.idOriginal,
        username: me.username,
        firstname: null,
        lastname: null,
        indexUser: auth.indexUser,
      },
      sessionId: auth.sessionId,
      sessionTimeConnect: auth.sessionTimeConnect,
      jwtSession: auth.jwt,
      openCmd: undefined,
      ...changes,
    });
  }

  /** Signs claims as the integrator does. */
  sign(claims: Sent, secret: string = sceneSecret): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
  }

  /** A client that is connected and has not signed in. It is cut off when the scene ends. */
  async connect(key: string, options?: RawClientOptions): Promise<RawClient> {
    this.#connections += 1;
    return this.connectTo((this.#connections - 1) % this.nodes.length, key, options);
  }

  /** The same, to one of the servers. */
  async connectTo(node: number, key: string, options?: RawClientOptions): Promise<RawClient> {
    const describe = () => `Errors of the server: ${this.#stage.errorText()}`;
    const { address } = this.nodes[node]!;
    return this.keep(await RawClient.connect(address, key, { describe, ...options }));
  }

  /** Has a client cut off when the scene ends. */
  keep(client: RawClient): RawClient {
    this.#clients.push(client);
    return client;
  }

  /** A client that has signed in and whose document is open. */
  async join(key: string, user: string, changes: Sent = {}, options?: RawClientOptions): Promise<SignedIn> {
    const client = await this.connect(key, options);
    client.send(this.authMessage(key, user, { supportAuthChangesAck: false, ...changes }));
    const auth = await client.next('auth');
    await client.next('documentOpen');
    return { client, auth };
  }

  /**
   * A second editor's joining: the first one is asked to finish with its history and does, as editors do.
   */
  async joinBeside(first: RawClient, key: string, user: string, changes: Sent = {}): Promise<SignedIn> {
    const client = await this.connect(key);
    client.send(this.authMessage(key, user, { supportAuthChangesAck: false, ...changes }));
    await first.next('connectState', (message) => message.waitAuth === true);
    first.send({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
    const auth = await client.next('auth');
    await client.next('documentOpen');
    return { client, auth };
  }

  /** A document with two editors who are both in. */
  async pair(changes: Sent = {}): Promise<{ key: string; ann: SignedIn; bob: SignedIn }> {
    const key = this.newKey();
    const ann = await this.join(key, 'ann', changes);
    const bob = await this.joinBeside(ann.client, key, 'bob', changes);
    return { key, ann, bob };
  }

  /** `POST /command`. */
  async command(parameters: Sent): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.quire.address}/command`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  /** A value of `/metrics`, by name and labels as they are printed. */
  async metric(name: string): Promise<number> {
    const response = await fetch(`${this.quire.address}/metrics`);
    const line = (await response.text()).split('\n').find((one) => one.startsWith(`${name} `));
    if (line === undefined) throw new Error(`There is no metric ${name}.`);
    return Number(line.slice(name.length + 1));
  }

  /** The changes of a document as they are stored, in order. */
  async storedChanges(key: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ changes: string }>(
      'SELECT changes FROM batches WHERE key = $1 ORDER BY first_index',
      [key],
    );
    return rows.flatMap((row) => JSON.parse(row.changes) as string[]);
  }
}

/** A scene on a server of which there is the address alone. Every other scene can be taken for one. */
export type SharedScene = Scene<ServerOfMany>;

const errorsOf = (nodes: readonly QuireProcess[]) => nodes.map((one) => one.errorText()).join('\n');

async function openOne(
  environment: Readonly<Record<string, string>>,
  tokens: boolean,
  within: readonly string[],
): Promise<Stage<QuireProcess>> {
  const database = await openTestDatabase();
  try {
    const settings = {
      DATABASE_URL: database.url,
      CONVERTER_PROCESSES: '0',
      ...(tokens ? { JWT_SECRET: sceneSecret } : openSettings),
      ...quickSettings,
      ...environment,
    };
    const quire = await QuireProcess.start(settings, { within });
    const leave = async () => {
      await quire.remove();
      await database.close();
    };
    return { nodes: [quire], database, redis: null, errorText: () => errorsOf([quire]), leave };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openSeveral(
  count: number,
  environment: Readonly<Record<string, string>>,
  tokens: boolean,
): Promise<Stage<QuireProcess>> {
  const several = await startNodes(count, {
    CONVERTER_PROCESSES: '0',
    ...(tokens ? { JWT_ENABLED: 'true', JWT_SECRET: sceneSecret } : {}),
    ...quickSettings,
    ...environment,
  });
  const { database, redis } = several;
  const nodes = several.nodes as readonly [QuireProcess, ...QuireProcess[]];
  return { nodes, database, redis, errorText: () => errorsOf(nodes), leave: () => several.close() };
}

async function openShared(name: 'world' | 'open-world'): Promise<Stage<ServerOfMany>> {
  const { address, databaseUrl } = await serverOfWorker<WorldTold>(name);
  const pool = openTestPool(databaseUrl);
  const close = () => pool.end();
  const database = { url: databaseUrl, pool, close };
  return { nodes: [{ address }], database, redis: null, errorText: () => '', leave: close };
}
