import {
  DisconnectCode,
  EditorType,
  LicenseResult,
  limitsImageSizeBytes,
  limitsImageTypesUpload,
  ServiceError,
  websocketMaxPayloadSize,
} from '../../../client/protocol/index.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { Config } from '../../../platform/config.ts';
import { cleanText } from '../../../platform/foreign-text.ts';
import type { Sealing } from '../../../platform/secrets/sealing.ts';
import type { Tokens } from '../../../platform/secrets/tokens.ts';
import { type AnnouncedVersion, versionFields } from '../../http/announced-version.ts';
import { authorStamp, displayName, isViewer } from '../auth/identity.ts';
import { sessionIdOf, signSessionToken } from '../auth/session-credentials.ts';
import type { CheckpointOffers } from '../checkpoint-offers.ts';
import type { JoinRequest, SharedState } from '../document/joining.ts';
import { storedMessage } from '../document/log-end.ts';
import { closed, followsChanges, type Member } from '../document/member.ts';
import { lockRulesOf } from '../document-model.ts';
import { openedAs } from '../opened-as.ts';
import type { SignInAttempt, SignInResult } from './sign-in-attempt.ts';

export interface AttachmentDependencies {
  config: Pick<Config, 'maxChangesBytes'>;
  sessionSecret: string;
  tokens: Tokens;
  checkpoints: CheckpointOffers;
  sealing: Sealing;
  /** The version that is announced to browsers. */
  announced: AnnouncedVersion;
}

/** Who a connection is in its document. */
export interface Identity {
  userIndex: number;
  uniqueId: string;
  connectedAtMs: number;
  callbackUrl: string | null;
}

/** Attaches connections to their documents: as participants, or only to say why they cannot take part. */
export class Attachment {
  readonly #deps: AttachmentDependencies;

  constructor(dependencies: AttachmentDependencies) {
    this.#deps = dependencies;
  }

  /** Takes over what the database says of the document, for everybody on this node. Call within `run` of the actor. */
  async update({ actor, request }: SignInAttempt, row: DocumentRow): Promise<void> {
    const { document } = actor;
    document.editorTypeAsked(request.editorType ?? EditorType.text);
    document.lockRulesKnown(lockRulesOf(row.fileType));
    await actor.follow(row);
    document.openChanged(row.state === 'open');
    document.openedAs(openedAs(row, this.#deps.sealing));
    const since = row.storedAt ?? row.openedAt ?? row.stateSince;
    const refusedSinceMs = row.refusedSince?.getTime() ?? null;
    document.storedChanged({ index: row.storedIndex, timeMs: since.getTime(), refusedSinceMs });
  }

  /** The member that a connection will be; `row` null: there is no such document. */
  memberOf(
    { connection, key, request, nameIsFixed, knowsPassword, isHistory }: SignInAttempt,
    row: DocumentRow | null,
    { userIndex, uniqueId, connectedAtMs, callbackUrl }: Identity,
  ): Member {
    const userId = cleanText(String(request.user?.id ?? ''));
    const name = displayName(request.user ?? {}, request.lang);
    return {
      peer: connection,
      author: { uniqueId, userId, name, stamp: authorStamp(request, name, row?.model ?? null) },
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
      chat: request.permissions?.chat !== false && !isHistory,
      nameIsFixed,
      knowsPassword,
      isShutOut: false,
      encrypted: request.encrypted ?? undefined,
      moves: request.quireMoves === true,
      state: request.isCloseCoAuthoring ? 'closed' : 'joining',
      save: {
        returnedToIndex: null,
        claimedIndex: null,
        lastFirstIndex: null,
        midSave: false,
        overtakenIndex: null,
      },
      saveLockAskedAtMs: null,
      saveLockUntilMs: null,
      historyAck: null,
    };
  }

  /** Lets a member in, and says what it has to know. */
  async join(
    attempt: SignInAttempt,
    member: Member,
    how: {
      restored: boolean;
      isUpToDate: JoinRequest['isUpToDate'];
      hasForgotten: boolean;
      usedUp: boolean;
    },
  ): Promise<SignInResult> {
    const { connection, actor, key, request, vouched } = attempt;
    const { permissions } = request;
    const { announced, checkpoints, config } = this.#deps;
    const joining: JoinRequest = {
      member,
      restored: how.restored,
      syncIndex: how.restored ? (request.quireSyncIndex ?? null) : null,
      isUpToDate: how.isUpToDate,
      acknowledgesHistory: request.supportAuthChangesAck === true,
      findCheckpoint:
        request.quireCheckpoint && !how.restored
          ? () => checkpoints.offerTo(connection, actor.document)
          : null,
      blocks: how.restored ? (request.block ?? []) : [],
      welcome: welcomeOf(member, { ...how, announced, maxChangesBytes: config.maxChangesBytes }, () =>
        signSessionToken(this.#deps.tokens, key, member, permissions),
      ),
    };
    if (!(await actor.join(joining))) {
      const description = 'Restore error. Locks not checked.';
      return this.softError(attempt, member, { code: DisconnectCode.restore, description });
    }
    connection.trust();
    if (how.hasForgotten) {
      connection.say({
        type: 'warning',
        code: ServiceError.fileNotAssembled,
        message: 'File not assembled',
      });
    }
    const { viewNotice } = attempt;
    if (viewNotice) {
      connection.say({ type: 'warning', code: ServiceError.forcedViewMode, message: viewNotice });
    }
    const { usedUp } = how;
    // The rest of what it came with is not needed again.
    const greeting = { member, welcome: joining.welcome };
    return {
      signedIn: { actor, member, greeting, permissions, editorType: request.editorType, usedUp, vouched },
      openCmd: request.openCmd ?? null,
    };
  }

  /** Keeps the connection as one that is out of co-editing, and says why (co-authoring protocol, 8.3). */
  async softError(
    { connection, actor, key, request, vouched }: SignInAttempt,
    member: Member,
    refusal: { code: number | null; description: string },
  ): Promise<SignInResult> {
    closed(member, { asViewer: true });
    actor.document.attached(member);
    connection.trust();
    const token = await signSessionToken(this.#deps.tokens, key, member, request.permissions);
    connection.say({ type: 'refreshToken', messages: token });
    connection.say({
      type: 'error',
      description: refusal.description,
      ...(refusal.code === null ? {} : { code: refusal.code }),
    });
    const { permissions, editorType } = request;
    return {
      signedIn: { actor, member, greeting: null, permissions, editorType, usedUp: false, vouched },
      openCmd: null,
    };
  }
}

/** Makes the `auth` reply when it is sent; the token is signed then rather than kept for as long as the connection. */
function welcomeOf(
  member: Member,
  {
    restored,
    hasForgotten,
    announced,
    maxChangesBytes,
  }: { restored: boolean; hasForgotten: boolean; announced: AnnouncedVersion; maxChangesBytes: number },
  sign: () => Promise<string>,
): JoinRequest['welcome'] {
  return async (shared) => {
    const jwt = restored ? undefined : await sign();
    return authReply(member, shared, { jwt, hasForgotten, announced, maxChangesBytes });
  };
}

/** The `auth` reply (co-authoring protocol, 8.7). */
function authReply(
  member: Member,
  shared: SharedState,
  own: {
    jwt: string | undefined;
    hasForgotten: boolean;
    announced: AnnouncedVersion;
    maxChangesBytes: number;
  },
) {
  return {
    type: 'auth' as const,
    result: 1,
    sessionId: member.sessionId,
    sessionTimeConnect: member.sessionTimeConnectMs,
    ...(member.state === 'closed' ? {} : { participants: shared.participants }),
    ...(shared.messages ? { messages: shared.messages } : {}),
    locks: shared.locks,
    indexUser: member.userIndex,
    ...(own.hasForgotten ? { hasForgotten: true } : {}),
    ...(own.jwt === undefined ? {} : { jwt: own.jwt }),
    g_cAscSpellCheckUrl: '',
    ...versionFields(own.announced),
    licenseType: LicenseResult.success,
    settings: {
      spellcheckerUrl: '',
      reconnection: { attempts: 50, delay: 2_000 },
      binaryChanges: false,
      websocketMaxPayloadSize,
      maxChangesSize: own.maxChangesBytes,
      limits_image_size: limitsImageSizeBytes,
      limits_image_types_upload: limitsImageTypesUpload,
    },
    ...(member.author.stamp ? { quireAuthor: member.author.stamp } : {}),
    ...(followsChanges(member) ? { quireSyncIndex: shared.endIndex } : {}),
    quireStored: storedMessage(shared.stored),
  };
}
