import {
  type AuthRequest,
  DisconnectCode,
  EditorType,
  maxUserIdLength,
  type OpenCommand,
  ServiceError,
} from '../../client/protocol/index.ts';
import type { DocumentModel, DocumentRow } from '../../db/document-row.ts';
import type { Documents, SourceAddress } from '../../db/documents.ts';
import type { AnnouncedVersion } from '../announced-version.ts';
import type { Config } from '../config.ts';
import type { HostStorage } from '../lifecycle/host-storage.ts';
import type { SourceCheck } from '../lifecycle/source-check.ts';
import type { Tokens } from '../tokens.ts';
import { mergeClaims, namesUser } from './auth/claims.ts';
import { cleanText, displayName, isViewer } from './auth/identity.ts';
import { isSessionId, sessionIdOf } from './auth/session-id.ts';
import { signSessionToken } from './auth/session-token.ts';
import { welcomeOf } from './auth-reply.ts';
import type { DocumentActor, Joining } from './document/actor.ts';
import type { Member } from './document/member.ts';
import { isDocumentKey } from './document-key.ts';
import type { Connection } from './gateway/connection.ts';
import { type Asking, HostDoor } from './host-door.ts';
import type { DocumentRegistry } from './registry.ts';
import { checkRestore, documentModified, hasMissed } from './restore.ts';

/**
 * A connection that signed in. It is kept for every connection, so it holds what is needed later and nothing of the
 * request that brought it.
 */
export interface SignedIn {
  actor: DocumentActor;
  member: Member;
  /** What it came with; null when it was let in only to look at why it was refused. */
  joining: Joining | null;
  permissions: AuthRequest['permissions'];
  /** The key was delivered a moment ago and cannot be edited. */
  usedUp: boolean;
  /** Whether a verified token stood behind the request. */
  vouched: boolean;
}

/** The outcome of a sign-in: who is in, and what they want opened. */
export interface SignInResult {
  signedIn: SignedIn;
  openCmd: OpenCommand | null;
}

export interface SignInDependencies {
  config: Config;
  sessionSecret: string;
  tokens: Tokens;
  documents: Documents;
  registry: DocumentRegistry;
  sourceCheck: SourceCheck;
  /** The form in which editors that name no model of ours get documents. */
  foreignModel: ForeignModel;
  /** The version that browsers are told. */
  announced: AnnouncedVersion;
  /** WOPI hosts; null where WOPI is off. */
  hostStorage: HostStorage | null;
}

/** Many who come to look at a document have its source asked for once. */
const sourceChecksApartMs = 1_000;

/** Ends a sign-in: the client was told why. */
class Refused extends Error {}

/**
 * The `auth` message (co-authoring protocol, section 8): checks the token and lets its claims win, counts the opening,
 * and lets the connection into its document, as a new session or back into the one it had.
 */
export class SignIn {
  readonly #deps: SignInDependencies;
  readonly #door: HostDoor;

  constructor(dependencies: SignInDependencies) {
    this.#deps = dependencies;
    this.#door = new HostDoor(dependencies.hostStorage);
  }

  /** Resolves with null when the connection was refused, which it was told, or when there was nothing to answer. */
  async signIn(connection: Connection, asked: AuthRequest): Promise<SignInResult | null> {
    // Clients of the protocol send a constant as `token`. A message without it is not meant for us.
    if (!asked.token || !asked.user) return null;
    try {
      const authorised = await this.#authorise(connection, asked);
      const { request, wopi } = authorised;
      const key = request.docid;
      if (!isDocumentKey(key)) throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
      if (!(await this.#door.mayComeThisWay(key, request, wopi))) {
        throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
      }
      const actor = this.#deps.registry.actor(key);
      const asks = { ...authorised, connection, actor, key, lockLost: false };
      // A slow storage holds up nobody but who waits for it.
      const entrance = { ...asks, ...(await this.#door.admit(asks)) };
      return await actor.run(() =>
        entrance.request.sessionId ? this.#restore(entrance) : this.#enter(entrance),
      );
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  async #authorise(connection: Connection, asked: AuthRequest) {
    const { tokens, config } = this.#deps;
    const token = asked.jwtSession || asked.jwtOpen;
    if (!config.jwtEnabled && !token) {
      const connectedAtMs = asked.sessionTimeConnect ?? null;
      const unsaid = { nameIsFixed: false, knowsPassword: false, wopi: null };
      return { request: asked, vouched: false, connectedAtMs, ...unsaid };
    }
    const verified = asked.jwtSession ? await tokens.verifySession(token) : await tokens.verifyInbox(token);
    if (verified.kind !== 'ok') throw refuse(connection, verified.code, `token:${verified.reason}`);
    const merged = mergeClaims(asked, verified.claims);
    if (!merged.ok) throw refuse(connection, merged.code, merged.description);
    const { session } = merged;
    return {
      request: session
        ? { ...merged.request, isCloseCoAuthoring: session.isCloseCoAuthoring }
        : merged.request,
      vouched: true,
      connectedAtMs: session?.sessionTimeConnectMs ?? asked.sessionTimeConnect ?? null,
      nameIsFixed: merged.wopi !== undefined || namesUser(verified.claims),
      knowsPassword: session?.knowsPassword ?? false,
      wopi: merged.wopi ?? null,
    };
  }

  /** A new session. Runs in line with the document's other messages. */
  async #enter(entrance: Entrance): Promise<SignInResult> {
    const { connection, actor, key, request } = entrance;
    const { documents, config } = this.#deps;
    const userId = cleanText(String(request.user?.id ?? ''));
    const editor = !isViewer(request) && request.isCloseCoAuthoring !== true;
    if (userId.length > maxUserIdLength) {
      const stranger = this.#memberOf(entrance, null, 0, '', Date.now(), null);
      return this.#softError(entrance, stranger, { code: null, description: 'User id too long' });
    }
    if (actor.document.members.size >= config.maxDocumentConnections) {
      throw refuse(connection, DisconnectCode.accessDeny, 'too many people have this document open');
    }
    await this.#noticeChange(entrance);
    const callbackUrl = request.documentCallbackUrl || null;
    const entered = await documents.enter({
      key,
      editor,
      userId,
      userName: displayName(request.user ?? {}, request.lang),
      callbackUrl,
      baseUrl: connection.handshake.baseUrl,
      routing: connection.handshake.routing,
      fileType: cleanText(request.openCmd?.format ?? '').toLowerCase(),
      title: cleanText(request.openCmd?.title ?? ''),
      source: sourceOf(entrance),
      storeWithinMs: editor ? this.#storeWithinMs(request) : null,
    });
    const isHandedOver = ['delivering', 'closed', 'forgotten'].includes(entered.row.state);
    const row = editor && isHandedOver ? await documents.reopen(key, sourceOf(entrance)) : entered.row;
    const usedUp = editor && (row.state === 'delivering' || row.state === 'closed');
    const member = this.#memberOf(
      entrance,
      row,
      entered.row.userIndex,
      entered.uniqueId,
      Date.now(),
      callbackUrl,
    );
    if (usedUp) {
      member.view = true;
      member.state = 'closed';
    }
    if (editor) await this.#settleModel(entrance, row);
    this.#update(actor, row, request);
    const hasForgotten = editor && (row.fromForgotten || entered.row.state === 'forgotten');
    return this.#join(entrance, member, { restored: false, hasForgotten, usedUp });
  }

  /**
   * A document that nobody edits or has changed is opened anew when its host has another file by now. Whoever looks at
   * the old one is sent away to open the new one.
   */
  async #noticeChange(entrance: Entrance): Promise<void> {
    const { actor, key, request } = entrance;
    const { documents, sourceCheck } = this.#deps;
    const { document } = actor;
    const others = document.members.size > 0;
    if (others && Date.now() - document.sourceCheckedAtMs < sourceChecksApartMs) return;
    if (!request.openCmd) return;
    const row = await documents.find(key);
    if (row?.state !== 'idle') return;
    document.sourceCheckedAtMs = Date.now();
    const given = sourceOf(entrance);
    const source = given.url === null ? { url: row.sourceUrl, vouched: row.sourceVouched } : given;
    if (!(await sourceCheck.hasChanged(row, source))) return;
    if (!(await documents.sourceChanged(row, source))) return;
    for (const { peer } of document.members.values()) {
      peer.dismiss(DisconnectCode.updateVersion, 'The file of the document has changed.');
    }
  }

  /** Within which time changes are to be stored; null: nobody wants that by itself. */
  #storeWithinMs({ quireStoreWithinS }: AuthRequest): number | null {
    const { forceSaveIntervalMs, forceSaveLeastMs } = this.#deps.config;
    if (quireStoreWithinS === undefined) return forceSaveIntervalMs || null;
    return quireStoreWithinS === 0 ? null : Math.max(forceSaveLeastMs, Math.round(quireStoreWithinS * 1_000));
  }

  /** Back into a session. Runs in line with the document's other messages. */
  async #restore(entrance: Entrance): Promise<SignInResult> {
    const { connection, actor, key, request, connectedAtMs } = entrance;
    const { documents, sessionSecret } = this.#deps;
    const userId = cleanText(String(request.user?.id ?? ''));
    const index = request.user?.indexUser ?? -1;
    const uniqueId = `${userId}${index}`;
    const sessionId = sessionIdOf(sessionSecret, key, uniqueId, connectedAtMs ?? 0);
    if (index < 1 || !isSessionId(request.sessionId ?? '', sessionId)) {
      throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
    }
    const viewer = isViewer(request);
    const wasClosed = request.isCloseCoAuthoring === true;
    let row = viewer || wasClosed ? await documents.find(key) : await documents.resume(key);
    if (row && !viewer && !wasClosed && (row.state === 'delivering' || row.state === 'forgotten')) {
      row = await documents.reopen(key, sourceOf(entrance));
    }
    // The callback address is the one that came with the opening: a session token does not vouch for another.
    const opening = await documents.openingOf(key, index, connectedAtMs ?? 0);
    const knownOnlyHere = actor.document.members.size === 0 && !actor.document.open;
    if (row) this.#update(actor, row, request);
    const member = this.#memberOf(
      entrance,
      row,
      index,
      uniqueId,
      connectedAtMs ?? Date.now(),
      opening?.callbackUrl ?? null,
    );
    if (!viewer && !wasClosed) {
      const refusal = await checkRestore(documents, row, request, uniqueId, opening !== null);
      if (!refusal && entrance.lockLost) {
        const description = 'Restore error. Locks not checked.';
        return this.#softError(entrance, member, { code: DisconnectCode.restore, description });
      }
      if (refusal || !row) {
        return this.#softError(
          entrance,
          member,
          refusal ?? { code: DisconnectCode.noCache, description: 'Other error' },
        );
      }
      if (knownOnlyHere && (await documents.openedByMany(key))) {
        actor.document.historyFloor = row.nextIndex;
      }
    }
    if (!row) throw refuse(connection, DisconnectCode.noCache, 'Other error');
    if (viewer && member.live && !wasClosed) {
      const isIntact = actor.isIntactForViewersSince(member.sessionTimeConnectMs);
      if (!isIntact || (await hasMissed(documents, row, request, uniqueId))) {
        return this.#softError(entrance, member, documentModified);
      }
    }
    if (wasClosed) {
      member.view = true;
      member.state = 'closed';
    }
    return this.#join(entrance, member, { restored: true, hasForgotten: false, usedUp: false });
  }

  /** What the database says of the document is what everybody on this node goes by, unless editors are at work here. */
  #update(actor: DocumentActor, row: DocumentRow, request: AuthRequest): void {
    const { document } = actor;
    if (document.members.size === 0) document.editorType = request.editorType ?? EditorType.text;
    if (document.editors().length === 0) {
      document.history.keepOnly(row.logVersion);
      if (row.nextIndex < document.historyFloor) document.historyFloor = 0;
      document.endIndex = row.nextIndex;
    }
    document.open = row.state === 'open';
    const since = row.storedAt ?? row.openedAt ?? row.stateSince;
    const refusedSinceMs = row.refusedSince?.getTime() ?? null;
    document.stored = { index: row.storedIndex, timeMs: since.getTime(), refusedSinceMs };
  }

  #memberOf(
    { connection, key, request, nameIsFixed, knowsPassword }: Entrance,
    row: DocumentRow | null,
    userIndex: number,
    uniqueId: string,
    connectedAtMs: number,
    callbackUrl: string | null,
  ): Member {
    const userId = cleanText(String(request.user?.id ?? ''));
    return {
      peer: connection,
      author: { uniqueId, userId, name: displayName(request.user ?? {}, request.lang) },
      sessionId: sessionIdOf(this.#deps.sessionSecret, key, uniqueId, connectedAtMs),
      sessionTimeConnectMs: connectedAtMs,
      userIndex,
      visitor: {
        userId,
        callbackUrl,
        baseUrl: connection.handshake.baseUrl,
        routing: connection.handshake.routing,
      },
      view: isViewer(request) || row === null,
      live: request.coEditingMode === 'fast',
      chat: request.permissions?.chat !== false,
      nameIsFixed,
      knowsPassword,
      encrypted: request.encrypted ?? undefined,
      state: request.isCloseCoAuthoring ? 'closed' : 'joining',
      save: { claimedIndex: null, lastFirstIndex: null, midSave: false },
      historyAck: null,
    };
  }

  async #join(
    entrance: Entrance,
    member: Member,
    how: { restored: boolean; hasForgotten: boolean; usedUp: boolean },
  ): Promise<SignInResult> {
    const { connection, actor, key, request, vouched } = entrance;
    const { permissions } = request;
    const { announced, config } = this.#deps;
    const joining: Joining = {
      member,
      restored: how.restored,
      syncIndex: how.restored ? (request.quireSyncIndex ?? null) : null,
      acknowledgesHistory: request.supportAuthChangesAck === true,
      blocks: how.restored ? (request.block ?? []) : [],
      welcome: welcomeOf(member, { ...how, announced, maxChangesBytes: config.maxChangesBytes }, () =>
        signSessionToken(this.#deps.tokens, key, member, permissions),
      ),
    };
    if (!(await actor.join(joining))) {
      const description = 'Restore error. Locks not checked.';
      return this.#softError(entrance, member, { code: DisconnectCode.restore, description });
    }
    connection.trust();
    if (how.hasForgotten) {
      connection.say({
        type: 'warning',
        code: ServiceError.fileNotAssembled,
        message: 'File not assembled',
      });
    }
    const viewNotice = entrance.wopi?.viewNotice;
    if (viewNotice) {
      connection.say({ type: 'warning', code: ServiceError.forcedViewMode, message: viewNotice });
    }
    const { usedUp } = how;
    return {
      signedIn: { actor, member, joining, permissions, usedUp, vouched },
      openCmd: request.openCmd ?? null,
    };
  }

  /** Keeps the connection as one that is out of co-editing, and says why (co-authoring protocol, 8.3). */
  async #softError(
    { connection, actor, key, request, vouched }: Entrance,
    member: Member,
    refusal: { code: number | null; description: string },
  ): Promise<SignInResult> {
    member.view = true;
    member.state = 'closed';
    actor.document.members.set(member.peer.id, member);
    connection.trust();
    const token = await signSessionToken(this.#deps.tokens, key, member, request.permissions);
    connection.say({ type: 'refreshToken', messages: token });
    connection.say({
      type: 'error',
      description: refusal.description,
      ...(refusal.code === null ? {} : { code: refusal.code }),
    });
    const { permissions } = request;
    return {
      signedIn: { actor, member, joining: null, permissions, usedUp: false, vouched },
      openCmd: null,
    };
  }

  /** Two kinds of editors do not understand each other's changes: the first one at work, or its changes, decide. */
  async #settleModel({ connection, actor, key, request }: Entrance, row: DocumentRow): Promise<void> {
    if (row.state !== 'open' || !request.openCmd) return;
    const model = modelOf(request.openCmd, this.#deps.foreignModel);
    if (row.model === model) return;
    const isFree = row.nextIndex === 0 && actor.document.editors().length === 0;
    if (isFree && (await this.#deps.documents.changeModel(key, model))) return;
    // It began before x2t was installed, or after: it is gone on with in the form that its changes are made for.
    if (row.model !== 'word' && model !== 'word') return;
    const description = `The document is open in another kind of editor (${row.model}).`;
    throw refuse(connection, DisconnectCode.accessDeny, description);
  }
}

interface Entrance extends Asking {
  connection: Connection;
  actor: DocumentActor;
  key: string;
  vouched: boolean;
  connectedAtMs: number | null;
  nameIsFixed: boolean;
  knowsPassword: boolean;
}

const sourceOf = ({ request, vouched }: Entrance): SourceAddress => ({
  url: request.openCmd?.url || null,
  vouched,
});

/** A form that is no model of ours: binary where x2t is there to read changes to it, else opaque. */
export type ForeignModel = Exclude<DocumentModel, 'word'>;

/** The model a client works on: ours if it names one of ours, else the one of other editors. */
export function modelOf(command: Pick<OpenCommand, 'model'>, foreign: ForeignModel): DocumentModel {
  return command.model === 'word' ? 'word' : foreign;
}

function refuse(connection: Connection, code: number, description: string): Refused {
  connection.dismiss(code, description);
  return new Refused();
}
