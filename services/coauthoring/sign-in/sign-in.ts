import { type AuthRequest, DisconnectCode } from '../../../client/protocol/index.ts';
import type { Arrival, Arrivals } from '../../../db/arrivals.ts';
import type { Documents } from '../../../db/documents.ts';
import type { Credential } from '../../../db/dropped-users.ts';
import { kinds } from '../../../model/kinds.ts';
import { grantsOf } from '../../../model/log/change-author.ts';
import type { Config } from '../../../platform/config.ts';
import { cleanText } from '../../../platform/foreign-text.ts';
import type { Sealing } from '../../../platform/secrets/sealing.ts';
import type { Tokens } from '../../../platform/secrets/tokens.ts';
import type { AnnouncedVersion } from '../../http/announced-version.ts';
import type { HostStorage } from '../../lifecycle/host-storage.ts';
import type { SourceCheck } from '../../lifecycle/source-check.ts';
import { mergeClaims, namesUser } from '../auth/claims.ts';
import { isViewer, withReadPermissions } from '../auth/identity.ts';
import { continuedBy, readSessionClaims } from '../auth/session-credentials.ts';
import { signedCredential } from '../auth/signed-credential.ts';
import type { CheckpointOffers } from '../checkpoint-offers.ts';
import type { ForeignForm } from '../document-model.ts';
import type { Connection } from '../gateway/connection.ts';
import { isDocumentKey } from '../gateway/document-path.ts';
import type { RefusalLog } from '../refusal-log.ts';
import type { DocumentRegistry } from '../registry.ts';
import { Attachment } from './attachment.ts';
import { HostAccess } from './host-access.ts';
import { NewSessions } from './new-sessions.ts';
import { ReturningSessions } from './returning-sessions.ts';
import { Refused, refuse, type SignInAttempt, type SignInResult } from './sign-in-attempt.ts';

export interface SignInDependencies {
  config: Config;
  sessionSecret: string;
  tokens: Tokens;
  documents: Documents;
  arrivals: Pick<Arrivals, 'of'>;
  registry: DocumentRegistry;
  checkpoints: CheckpointOffers;
  sealing: Sealing;
  sourceCheck: SourceCheck;
  /** The form in which editors that name no model of ours get documents. */
  foreignModel: ForeignForm;
  /** The version that is announced to browsers. */
  announced: AnnouncedVersion;
  /** WOPI hosts; null where WOPI is off. */
  hostStorage: HostStorage | null;
  /** Hears of each connection that is refused, with the code it was told. */
  onRefused: (code: number) => void;
  /** Of tokens with which nobody gets in. */
  refusals: RefusalLog;
}

/**
 * The `auth` message (co-authoring protocol, section 8): checks the token and lets its claims win, counts the opening,
 * and lets the connection into its document, as a new session or back into the one it had.
 */
export class SignIn {
  readonly #deps: SignInDependencies;
  readonly #hostAccess: HostAccess;
  readonly #newSessions: NewSessions;
  readonly #returningSessions: ReturningSessions;

  constructor(dependencies: SignInDependencies) {
    this.#deps = dependencies;
    this.#hostAccess = new HostAccess(dependencies.hostStorage);
    const attachment = new Attachment(dependencies);
    this.#newSessions = new NewSessions({ ...dependencies, attachment });
    const { documents, sessionSecret } = dependencies;
    this.#returningSessions = new ReturningSessions(documents, sessionSecret, attachment);
  }

  /**
   * Resolves with null when the connection was refused (it was sent the reason), or when there was nothing to answer.
   */
  async signIn(connection: Connection, asked: AuthRequest): Promise<SignInResult | null> {
    // Clients of the protocol send a constant as `token`. A message without it is not meant for us.
    if (!asked.token || !asked.user) return null;
    try {
      const authorised = await this.#authorise(connection, asked);
      const { request, viewNotice } = this.#asWritten(withReadPermissions(authorised.request));
      const { wopi } = authorised;
      const key = request.docid;
      if (!isDocumentKey(key)) throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
      if (!(await this.#hostAccess.isRightWay(key, request, wopi))) {
        throw refuse(connection, DisconnectCode.accessDeny, 'access deny');
      }
      return await this.#deps.registry.use(key, async (actor) => {
        const asks = {
          ...authorised,
          request,
          viewNotice: viewNotice ?? wopi?.viewNotice ?? null,
          connection,
          actor,
          key,
          lockLost: false,
        };
        // A slow storage holds up nobody but who waits for it.
        const attempt = { ...asks, ...(await this.#hostAccess.admit(asks)) };
        return actor.run(async () => {
          const result = await this.#newSessions.enterOpen(attempt);
          if (result) return result;
          const arrival = await this.#letOnlyThoseIn(attempt);
          await actor.lookUp();
          return attempt.request.sessionId
            ? this.#returningSessions.restore(attempt)
            : this.#newSessions.enter(attempt, arrival.row);
        });
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#deps.onRefused(error.closeCode);
      return null;
    }
  }

  /** Those whom the integrator has sent away stay out until it lets them in anew. Call within `run` of the actor. */
  async #letOnlyThoseIn({ connection, key, request, credential }: SignInAttempt): Promise<Arrival> {
    const userId = cleanText(String(request.user?.id ?? ''));
    const arrival = await this.#deps.arrivals.of(key);
    if (arrival.keepsOut(userId, credential)) throw refuse(connection, DisconnectCode.drop, 'drop');
    return arrival;
  }

  /**
   * A request with what its editor leaves of it. Pages cannot be changed. And what a part of the rights allows is judged by a model of
   * our own alone: whoever has such rights, and an editor of others, looks. A session that goes on was judged when it began.
   */
  #asWritten(request: AuthRequest): { request: AuthRequest; viewNotice: string | null } {
    const { openCmd, permissions, mode, sessionId } = request;
    if (openCmd?.model === 'pages') {
      return { request: { ...request, mode: 'view', coEditingMode: 'strict' }, viewNotice: null };
    }
    const isTrusted = sessionId || this.#deps.config.trustPartialRights || kinds.ofModel(openCmd?.model);
    if (isTrusted || isViewer(request) || grantsOf(permissions, mode).may === undefined) {
      return { request, viewNotice: null };
    }
    const viewNotice = 'This editor cannot be kept to your rights, so the document is shown only.';
    return { request: { ...request, mode: 'view' }, viewNotice };
  }

  async #authorise(connection: Connection, asked: AuthRequest): Promise<Authorised> {
    const { tokens, config } = this.#deps;
    if (asked.jwtSession && asked.sessionId) return this.#continued(connection, asked);
    const { jwtOpen: token } = asked;
    if (!token && asked.jwtSession) {
      throw refuse(connection, DisconnectCode.tokenError, 'token:a session token begins no session');
    }
    const signedIn = { nameIsFixed: false, knowsPassword: false, wopi: null, isHistory: false };
    const connectedAtMs = asked.sessionTimeConnect ?? null;
    if (!config.jwtEnabled && !token) {
      const credential = credentialOf(asked, { digest: null, signedAtS: null });
      return { ...signedIn, request: asked, vouched: false, connectedAtMs, credential };
    }
    const verified = await tokens.verifyInbox(token, connection.knownToken);
    if (verified.kind !== 'ok')
      throw this.#refuseToken(connection, asked, verified.code, `token:${verified.reason}`);
    const { claims } = verified;
    const merged = mergeClaims(asked, claims);
    if (!merged.ok) throw this.#refuseToken(connection, asked, merged.code, merged.description);
    const { request, wopi = null, purpose } = merged;
    return {
      ...signedIn,
      request,
      vouched: true,
      connectedAtMs,
      nameIsFixed: wopi !== null || purpose === 'history' || namesUser(claims),
      wopi,
      isHistory: purpose === 'history',
      credential: credentialOf(request, signedCredential(token, claims)),
    };
  }

  /** A token that is wrong or incomplete is so for all people of its integrator, who is told in the log what is wrong. */
  #refuseToken(connection: Connection, { docid }: AuthRequest, code: number, description: string): Refused {
    const { refusals } = this.#deps;
    const reason = description.replace(/^token:/, '');
    refusals.write({ code, reason, ...(isDocumentKey(docid) && { documentKey: docid }) });
    return refuse(connection, code, description);
  }

  /** A session goes on with its own token. This says what the session may do, and names no address. */
  async #continued(connection: Connection, asked: AuthRequest): Promise<Authorised> {
    const verified = await this.#deps.tokens.verifySession(asked.jwtSession, connection.knownToken);
    if (verified.kind !== 'ok') throw refuse(connection, verified.code, `token:${verified.reason}`);
    const session = readSessionClaims(verified.claims);
    if (!session) throw refuse(connection, DisconnectCode.tokenError, 'token:');
    return {
      request: continuedBy(session, asked),
      vouched: true,
      isHistory: false,
      connectedAtMs: session.connectedAtMs,
      nameIsFixed: session.nameIsFixed,
      knowsPassword: session.knowsPassword,
      wopi: null,
      credential: { userIndex: session.userIndex },
    };
  }
}

/** What the tokens of an `auth` request leave of it. */
type Authorised = Omit<SignInAttempt, 'connection' | 'actor' | 'key' | 'lockLost' | 'viewNotice'>;

/** A user who comes back to a session is the same as before, whatever token the request has. */
function credentialOf(request: AuthRequest, token: Exclude<Credential, { userIndex: number }>): Credential {
  return request.sessionId ? { userIndex: request.user?.indexUser ?? -1 } : token;
}
