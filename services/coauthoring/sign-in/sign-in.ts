import { type AuthRequest, DisconnectCode } from '../../../client/protocol/index.ts';
import type { Documents } from '../../../db/documents.ts';
import type { AnnouncedVersion } from '../../announced-version.ts';
import type { Config } from '../../config.ts';
import type { HostStorage } from '../../lifecycle/host-storage.ts';
import type { SourceCheck } from '../../lifecycle/source-check.ts';
import type { Tokens } from '../../secrets/tokens.ts';
import { mergeClaims, namesUser } from '../auth/claims.ts';
import type { CheckpointOffers } from '../checkpoint-offers.ts';
import { isDocumentKey } from '../document-key.ts';
import type { ForeignModel } from '../document-model.ts';
import type { Connection } from '../gateway/connection.ts';
import { HostDoor } from '../host-door.ts';
import type { DocumentRegistry } from '../registry.ts';
import { Attachment } from './attachment.ts';
import { Refused, refuse, type SignInResult } from './entrance.ts';
import { NewSessions } from './new-sessions.ts';
import { ReturningSessions } from './returning-sessions.ts';

export interface SignInDependencies {
  config: Config;
  sessionSecret: string;
  tokens: Tokens;
  documents: Documents;
  registry: DocumentRegistry;
  checkpoints: CheckpointOffers;
  sourceCheck: SourceCheck;
  /** The form in which editors that name no model of ours get documents. */
  foreignModel: ForeignModel;
  /** The version that browsers are told. */
  announced: AnnouncedVersion;
  /** WOPI hosts; null where WOPI is off. */
  hostStorage: HostStorage | null;
  /** Hears of each connection that is refused, with the code it was told. */
  onRefused: (code: number) => void;
}

/**
 * The `auth` message (co-authoring protocol, section 8): checks the token and lets its claims win, counts the opening,
 * and lets the connection into its document, as a new session or back into the one it had.
 */
export class SignIn {
  readonly #deps: SignInDependencies;
  readonly #door: HostDoor;
  readonly #newSessions: NewSessions;
  readonly #returningSessions: ReturningSessions;

  constructor(dependencies: SignInDependencies) {
    this.#deps = dependencies;
    this.#door = new HostDoor(dependencies.hostStorage);
    const attachment = new Attachment(dependencies);
    this.#newSessions = new NewSessions({ ...dependencies, attachment });
    const { documents, sessionSecret } = dependencies;
    this.#returningSessions = new ReturningSessions(documents, sessionSecret, attachment);
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
      return await this.#deps.registry.use(key, async (actor) => {
        const asks = { ...authorised, connection, actor, key, lockLost: false };
        // A slow storage holds up nobody but who waits for it.
        const entrance = { ...asks, ...(await this.#door.admit(asks)) };
        return actor.run(async () => {
          await actor.lookUp();
          return entrance.request.sessionId
            ? this.#returningSessions.restore(entrance)
            : this.#newSessions.enter(entrance);
        });
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#deps.onRefused(error.code);
      return null;
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
}
