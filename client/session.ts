import type { Clock } from './clock.ts';
import type { DocumentClientOptions } from './options.ts';
import {
  type AuthReply,
  type AuthRequest,
  type Block,
  type OpenCommand,
  uniqueUserId,
} from './protocol/index.ts';
import type { Credentials } from './transports/transport.ts';

/** The constant that every client sends as `auth.token`; servers ignore an `auth` without one. */
const dummyToken = 'quire';

/**
 * Who this client is to the server, over all its connections: the session id, the tokens, the index, and the
 * `auth` message that opens or restores the session.
 */
export class Session {
  readonly #options: DocumentClientOptions;
  readonly #clock: Clock;
  #reply: AuthReply | null = null;
  #sessionToken: string | undefined;
  #lastOtherSaveTime = -1;
  #takesCheckpoint = true;

  constructor(options: DocumentClientOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The last `auth` reply, or null before the first. */
  get reply(): AuthReply | null {
    return this.#reply;
  }

  /** Unique user id; the original id before the first `auth` reply. */
  get userId(): string {
    const { id } = this.#options.auth.user;
    return this.#reply ? uniqueUserId(id, this.#reply.indexUser) : id;
  }

  /** The token by which the server's files and uploads know this user; undefined before the first `auth` reply. */
  get token(): string | undefined {
    return this.#sessionToken;
  }

  get credentials(): Credentials {
    return this.#sessionToken ? { session: this.#sessionToken } : { token: this.#options.token };
  }

  accept(reply: AuthReply): void {
    if (reply.jwt) this.#sessionToken = reply.jwt;
    this.#reply = reply;
  }

  /** The session is over: the next `auth` opens a new one, without a checkpoint and so with the whole log. */
  beginAnew(): void {
    this.#reply = null;
    this.#sessionToken = undefined;
    this.#takesCheckpoint = false;
  }

  refreshToken(token: string): void {
    if (token !== '') this.#sessionToken = token;
  }

  noteOtherSave(timeMs: number): void {
    this.#lastOtherSaveTime = timeMs;
  }

  openCommand(): OpenCommand | null {
    const { auth, key } = this.#options;
    return auth.openCmd ? { c: 'open', id: key, userid: auth.user.id, ...auth.openCmd } : null;
  }

  /** `syncIndex`: how many changes of the log this client has. `ownBlocks`: element locks it held. */
  authRequest(syncIndex: number, ownBlocks: Block[]): AuthRequest {
    const { auth, key, token } = this.#options;
    const restored = this.#reply;
    const openCmd = restored ? null : this.openCommand();
    const takesCheckpoint = !restored && this.#takesCheckpoint && this.#options.takesCheckpoint?.() === true;
    return {
      type: 'auth',
      docid: key,
      documentCallbackUrl: auth.documentCallbackUrl,
      token: dummyToken,
      user: {
        id: auth.user.id,
        username: auth.user.username ?? null,
        firstname: auth.user.firstname ?? null,
        lastname: auth.user.lastname ?? null,
        customerId: auth.user.customerId,
        indexUser: restored?.indexUser ?? -1,
      },
      editorType: auth.editorType ?? 0,
      lastOtherSaveTime: this.#lastOtherSaveTime,
      block: ownBlocks,
      sessionId: restored?.sessionId ?? null,
      sessionTimeConnect: restored?.sessionTimeConnect ?? null,
      sessionTimeIdle: this.#options.idleTimeMs?.() ?? 0,
      documentFormatSave: 0,
      isCloseCoAuthoring: false,
      ...(openCmd && { openCmd }),
      lang: auth.lang ?? 'en',
      // A token that names no mode vouches for no mode.
      ...(auth.mode !== undefined && { mode: auth.mode }),
      permissions: auth.permissions,
      encrypted: auth.encrypted ?? false,
      IsAnonymousUser: false,
      timezoneOffset: auth.timezoneOffset ?? new Date(this.#clock.now()).getTimezoneOffset(),
      coEditingMode: auth.coEditingMode ?? 'fast',
      ...(this.#sessionToken
        ? { jwtSession: this.#sessionToken }
        : token !== undefined && { jwtOpen: token }),
      supportAuthChangesAck: true,
      quireSyncIndex: syncIndex,
      ...(takesCheckpoint && { quireCheckpoint: true }),
      quireMoves: true,
      ...(auth.quireStoreWithinS !== undefined && { quireStoreWithinS: auth.quireStoreWithinS }),
    };
  }
}
