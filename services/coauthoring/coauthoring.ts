import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import {
  type ClientMessage,
  type ClientMessageOf,
  CommandResult,
  DisconnectCode,
  ForceSaveType,
  LicenseMode,
  LicenseResult,
  LicenseRights,
  type ServerMessage,
} from '../../client/protocol/index.ts';
import type { DroppedUsers } from '../../db/dropped-users.ts';
import type { Config } from '../../platform/config.ts';
import { LineBudget } from '../../platform/line-budget.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import { Frame } from '../../platform/ports/peer.ts';
import type { Claims, Tokens } from '../../platform/secrets/tokens.ts';
import { Sampled, traced } from '../../platform/tracing.ts';
import { type AnnouncedVersion, versionFields } from '../http/announced-version.ts';
import type { FileLinks } from '../http/file-links.ts';
import type { Copies } from '../lifecycle/copies.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import type { HostStorage } from '../lifecycle/host-storage.ts';
import { displayName } from './auth/identity.ts';
import { signSessionToken } from './auth/session-credentials.ts';
import { Departures } from './departures.ts';
import type { Member } from './document/member.ts';
import { send } from './document/open-document.ts';
import {
  costOf,
  type DocumentMessage,
  dismissed,
  handled,
  isOfDocument,
  maySend,
  rightsOf,
} from './document/rights/message-rights.ts';
import type { Standing } from './document/rights/standing.ts';
import type { DocumentFiles } from './document-files.ts';
import type { RemotePictures } from './document-pictures.ts';
import type { DocumentTenants } from './document-tenants.ts';
import type { ForceSaveWaiters } from './force-save-waiters.ts';
import type { Connection, ConnectionHandler } from './gateway/connection.ts';
import type { HandshakeResult } from './gateway/unauthenticated-connections.ts';
import type { LinkedValueReader } from './linked-values.ts';
import { OpenCommands } from './open-commands.ts';
import { payerOf } from './payer.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { DocumentRegistry } from './registry.ts';
import { Rpc } from './rpc.ts';
import { SessionWatch, type Watching } from './session-watch.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import type { SignedIn } from './sign-in/sign-in-attempt.ts';

export interface CoauthoringDependencies {
  config: Config;
  tokens: Tokens;
  registry: DocumentRegistry;
  signIn: SignIn;
  droppedUsers: Pick<DroppedUsers, 'keepsOut'>;
  files: DocumentFiles;
  remotePictures: RemotePictures;
  linkedValues: LinkedValueReader;
  forceSaves: ForceSaves;
  /** Those who wait for the end of a forced save. */
  waiters: ForceSaveWaiters;
  copies: Copies;
  blobs: Pick<BlobStore, 'put'>;
  links: FileLinks;
  hostStorage: HostStorage | null;
  /** The version that is announced to browsers. */
  announced: AnnouncedVersion;
  log: Logger;
  onMessage: (type: string) => void;
  onLogLineDropped: () => void;
  refusals: RefusalLog;
  tenants: DocumentTenants;
  /** Hears of each connection that is refused before it signs in, with the code it was told. */
  onRefused: (code: number) => void;
}

/** The co-authoring service: what connections say, from the handshake to their end. */
export class Coauthoring implements ConnectionHandler {
  readonly #deps: CoauthoringDependencies;
  readonly #signedIn = new Map<Connection, SignedIn>();
  readonly #connections = new Set<Connection>();
  readonly #departures: Departures;
  readonly #watches = new Map<Connection, SessionWatch>();
  readonly #watching: Watching;
  /** What connections may write to the server's log, and how many of their lines were left out. */
  readonly #logLines = new WeakMap<Connection, LineBudget>();
  readonly #openCommands: OpenCommands;
  readonly #rpc: Rpc;
  readonly #savesTraced: Sampled;
  /** The same for everybody. */
  readonly #license: Frame;
  #stopping = false;

  constructor(dependencies: CoauthoringDependencies) {
    this.#deps = dependencies;
    this.#savesTraced = new Sampled('save', dependencies.config.traceSavesEvery);
    this.#license = Frame.of(licenseOf(dependencies.announced));
    const { config } = dependencies;
    this.#watching = {
      limits: {
        idleMs: config.sessionIdleMs,
        absoluteMs: config.sessionAbsoluteMs,
        renewTokenMs: config.sessionTokenLifeS * 500,
      },
      renewToken: (connection) => this.#renewToken(connection),
    };
    const { files, remotePictures, tokens, forceSaves, waiters, copies, blobs, links, hostStorage } =
      dependencies;
    this.#departures = new Departures(() => membersOf(dependencies.registry), this.#connections);
    dependencies.registry.onRenamed = (members) => this.#renamed(members);
    const failed = (connection: Connection, error: unknown) => this.failed(connection, error);
    const rename = (signedIn: SignedIn, name: string) => this.#rename(signedIn, name);
    const refreshToken = (connection: Connection, signedIn: SignedIn) =>
      this.#refreshToken(connection, signedIn);
    const { linkedValues, droppedUsers } = dependencies;
    this.#openCommands = new OpenCommands({
      ...{ files, remotePictures, linkedValues, rename, refreshToken, failed },
      refused: (connection, { level, message: reason }) =>
        dependencies.log[level]({ ...this.#about(connection), reason }, 'A command of an editor was refused'),
    });
    this.#rpc = new Rpc({
      jwtEnabled: dependencies.config.jwtEnabled,
      ...{ tokens, droppedUsers, files, forceSaves, waiters, copies, blobs, links, hostStorage, failed },
    });
  }

  /**
   * Ends every connection so that its client comes back, to this server after its restart or to another one. Nobody
   * counts as having left: the documents stay as they are for those who return.
   */
  stop(): void {
    this.#stopping = true;
    for (const connection of this.#connections) connection.interrupt('server shutdown');
  }

  /** Sends everybody away for good, as if each had left. */
  dismissAll(): void {
    for (const connection of this.#connections) {
      connection.dismiss(DisconnectCode.serverShutdown, 'server shutdown');
    }
  }

  /** Lets up to so many people go to the node that a balancer gives them. */
  sendElsewhere(count: number): void {
    this.#departures.letGo(count);
  }

  /** Resolves when every document has done what had reached it. */
  async settled(): Promise<void> {
    await Promise.all([...this.#deps.registry.actors()].map((actor) => actor.run(async () => undefined)));
  }

  /**
   * The token of a handshake (co-authoring protocol, 2.4): a session token before an integrator's. It must be right if
   * tokens are on or if there is one.
   */
  async verifyHandshake(auth: unknown): Promise<HandshakeResult> {
    const { config, tokens } = this.#deps;
    const given = (typeof auth === 'object' && auth !== null ? auth : {}) as Claims;
    const token = given.session || given.token;
    if (!config.jwtEnabled && !token) return { ok: true, known: null };
    const verified = given.session
      ? await tokens.verifySession(token)
      : await tokens.verifyInbox(token || undefined);
    if (verified.kind === 'ok') {
      return { ok: true, known: { of: given.session ? 'session' : 'inbox', token, claims: verified.claims } };
    }
    this.#deps.onRefused(verified.code);
    // One of an editor that was away for long has ended; one of an integrator that is wrong is wrong for all its people.
    if (!given.session) {
      const { code, reason } = verified;
      this.#deps.refusals.write({ code, reason });
    }
    return { ok: false, code: verified.code, description: `token:${verified.reason}` };
  }

  /** Whose document it is, as far as that is known here; the empty text where nobody knows. */
  tenantOf(key: string): string {
    return this.#deps.tenants.of(key);
  }

  /** Says what this server is; browsers wait for it before they sign in. */
  greet(connection: Connection): void {
    if (this.#stopping) {
      connection.interrupt('server shutdown');
      return;
    }
    this.#connections.add(connection);
    connection.send(this.#license);
  }

  costOf(connection: Connection, message: ClientMessage, characters: number): number {
    const listeners = this.#signedIn.get(connection)?.actor.document.members.size ?? 0;
    return costOf(message, characters, listeners);
  }

  mostCharactersOf(message: ClientMessage): number {
    const { mostCharacters } = rightsOf(message);
    return mostCharacters === 'transport' ? Number.POSITIVE_INFINITY : mostCharacters;
  }

  handleAside(connection: Connection, message: ClientMessage): boolean {
    if (message.type !== 'cursor') return false;
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn || !maySend(message, standingOf(signedIn))) return false;
    this.#deps.onMessage('cursor');
    signedIn.actor.showCursor(signedIn.member, message.cursor);
    return true;
  }

  async handle(connection: Connection, message: ClientMessage): Promise<void> {
    this.#deps.onMessage(message.type);
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn) return this.#handleUnauthenticated(connection, message);
    const { actor, member } = signedIn;
    if (rightsOf(message).isActivity(message)) this.#watches.get(connection)?.acted();
    if (message.type === 'saveChanges') {
      return this.#savesTraced.around({ 'quire.document': actor.document.key }, () =>
        actor.run(() => actor.handle(member, message)),
      );
    }
    if (isOfDocument(message)) return actor.run(() => actor.handle(member, message));
    if (message.type === 'forceSaveStart') {
      return actor.run(() =>
        handled(message, standingOf(signedIn), () => this.#forceSave(connection, signedIn)),
      );
    }
    return handled(message, standingOf(signedIn), () => this.#handleAtOnce(connection, signedIn, message));
  }

  async #handleAtOnce(
    connection: Connection,
    signedIn: SignedIn,
    message: Exclude<ClientMessage, DocumentMessage | { type: 'forceSaveStart' }>,
  ): Promise<void> {
    switch (message.type) {
      case 'auth': {
        // Some clients sign in twice on one connection: they are answered once more.
        const { actor, member, greeting } = signedIn;
        if (greeting && member.state !== 'waiting') await actor.run(() => actor.greet(greeting));
        return;
      }
      case 'close':
        return this.#close(connection, signedIn);
      case 'openDocument':
        return connection.requests.begin(() => this.#openCommands.run(connection, signedIn, message.message));
      case 'rpc':
        return connection.requests.begin(() =>
          this.#rpc.call(connection, signedIn, message.responseKey, message.data),
        );
      case 'extendSession':
        return this.#watches.get(connection)?.extend(message.idletime ?? 0);
      case 'clientLog':
        return this.#logFor(connection, message);
    }
  }

  async disconnected(connection: Connection): Promise<void> {
    this.#connections.delete(connection);
    this.#watches.get(connection)?.stop();
    this.#watches.delete(connection);
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn || this.#stopping) return;
    this.#logConnection(connection, 'A connection ended');
    this.#signedIn.delete(connection);
    const { actor, member } = signedIn;
    if (actor.document.members.get(connection.id) === member) {
      await actor.run(() => actor.leave(member, false));
    }
    this.#deps.registry.maybeDrop(actor.document.key);
  }

  failed(connection: Connection, error: unknown): void {
    this.#deps.log.error({ err: error, ...this.#about(connection) }, 'A connection failed');
  }

  async #handleUnauthenticated(connection: Connection, message: ClientMessage): Promise<void> {
    const { fromStranger } = rightsOf(message);
    if (message.type === 'auth') return this.#signIn(connection, message);
    if (fromStranger === 'dismiss') return dismissed(connection);
    if (typeof fromStranger === 'object') connection.say(fromStranger);
  }

  async #signIn(connection: Connection, message: ClientMessageOf<'auth'>): Promise<void> {
    const result = await traced('sign-in', { 'quire.document': String(message.docid) }, () =>
      this.#deps.signIn.signIn(connection, message),
    );
    if (!result) return;
    if (this.#stopping) return connection.interrupt('server shutdown');
    this.#signedIn.set(connection, result.signedIn);
    const { actor, member } = result.signedIn;
    const tenant = this.#deps.tenants.learned(actor.document.key, member.visitor.callbackUrl);
    connection.belongsTo(payerOf(connection, result.signedIn, tenant));
    this.#logConnection(connection, 'A participant joined');
    this.#watch(connection, result.signedIn, message.sessionTimeIdle ?? 0);
    const { openCmd, found } = result;
    if (!openCmd) return;
    return connection.requests.begin(() =>
      this.#openCommands.run(connection, result.signedIn, openCmd, found),
    );
  }

  /** Too many lines are not written; the next one says how many were left out. */
  #logFor(connection: Connection, { level, msg }: ClientMessageOf<'clientLog'>): void {
    const { config, log, onLogLineDropped } = this.#deps;
    let lines = this.#logLines.get(connection);
    if (!lines) {
      lines = new LineBudget(config.clientLogLinesPerMinute);
      this.#logLines.set(connection, lines);
    }
    const left = lines.take();
    if (left === null) {
      onLogLineDropped();
      return;
    }
    log[logLevel(level)](
      { ...this.#about(connection), text: msg?.slice(0, 1_000), ...left },
      'A client logged',
    );
  }

  /** The save button. The answer is sent before the end of the save can be known. */
  async #forceSave(connection: Connection, { actor, member }: SignedIn): Promise<void> {
    const { forceSaves, log } = this.#deps;
    const { key } = actor.document;
    try {
      const { code, timeMs, inProgress } = await forceSaves.request({
        key,
        type: ForceSaveType.button,
        initiator: member.visitor,
        userData: null,
      });
      const time = timeMs === null ? {} : { time: timeMs };
      send(member, { type: 'forceSaveStart', messages: { code, ...time, inProgress } });
      if (inProgress && timeMs !== null) this.#waitForSave(key, timeMs, member);
    } catch (error) {
      log.error({ err: error, ...this.#about(connection) }, 'A forced save could not be asked for');
      send(member, { type: 'forceSaveStart', messages: { code: CommandResult.unknownError } });
    }
  }

  /** Somebody who pressed the button and joined another forced save is sent its end as that of a button's save. */
  #waitForSave(key: string, time: number, member: Member): void {
    const button = ForceSaveType.button;
    this.#deps.waiters.add(key, time, ({ type, success }) => {
      if (type !== button) send(member, { type: 'forceSave', messages: { type: button, time, success } });
    });
  }

  /** A client leaves co-editing and keeps its connection for downloads. */
  async #close(connection: Connection, signedIn: SignedIn): Promise<void> {
    const { actor, member } = signedIn;
    const wasClosed = member.state === 'closed';
    await actor.run(() => actor.leave(member, true));
    if (!wasClosed) await this.#refreshToken(connection, signedIn);
  }

  /** Gives this user another name on all connections here, unless the integrator has fixed it. */
  async #rename({ actor, member }: SignedIn, name: string): Promise<boolean> {
    const newName = displayName({ username: name }, null);
    if (name === '') return false;
    await actor.run(() => actor.rename(member.author.userId, newName));
    return true;
  }

  /** Members have another name, given here or on another node: they get tokens with it. */
  #renamed(members: readonly Member[]): void {
    for (const [connection, signedIn] of this.#signedIn) {
      if (!members.includes(signedIn.member)) continue;
      this.#refreshToken(connection, signedIn).catch((error: unknown) => this.failed(connection, error));
    }
  }

  #renewToken(connection: Connection): void {
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn) return;
    this.#refreshToken(connection, signedIn).catch((error: unknown) => this.failed(connection, error));
  }

  async #refreshToken(connection: Connection, { actor, member, permissions }: SignedIn): Promise<void> {
    const token = await signSessionToken(this.#deps.tokens, actor.document.key, member, permissions);
    connection.say({ type: 'refreshToken', messages: token });
  }

  #logConnection(connection: Connection, what: string): void {
    const { log } = this.#deps;
    if (log.isLevelEnabled('debug')) log.debug(this.#about(connection), what);
  }

  /** What each line about a connection carries. A session is named by a part of a hash: its id is a secret. */
  #about(connection: Connection): object {
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn) return { connectionId: connection.id };
    const { actor, member } = signedIn;
    const sessionTag = createHash('sha256').update(member.sessionId).digest('hex').slice(0, 12);
    return { documentKey: actor.document.key, connectionId: connection.id, sessionTag };
  }

  /** Begins to count the time of a session that was begun or gone on with. */
  #watch(connection: Connection, signedIn: SignedIn, idleForMs: number): void {
    const { member } = signedIn;
    const watch = new SessionWatch(this.#watching, {
      connection,
      member,
      startedAtMs: member.sessionTimeConnectMs,
      idleForMs: Math.max(0, idleForMs),
    });
    this.#watches.set(connection, watch);
  }
}

function* membersOf(registry: DocumentRegistry): Iterable<Iterable<Member>> {
  for (const { document } of registry.actors()) yield document.members.values();
}

const logLevels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const);

/** The level of a client's log line: clients use the same names. Nothing that a client logs is fatal here. */
function logLevel(level: string | null | undefined): 'trace' | 'debug' | 'info' | 'warn' | 'error' {
  if (level === 'fatal') return 'error';
  return logLevels.has(level as 'info') ? (level as 'info') : 'info';
}

const licenseOf = (announced: AnnouncedVersion): ServerMessage => ({
  type: 'license',
  license: {
    type: LicenseResult.success,
    light: false,
    mode: LicenseMode.none,
    rights: LicenseRights.edit,
    ...versionFields(announced),
    protectionSupport: false,
    isAnonymousSupport: true,
    liveViewerSupport: true,
    branding: false,
    customization: false,
    advancedApi: false,
  },
});

const standingOf = ({ actor, member }: SignedIn): Standing => ({ member, document: actor.document });
