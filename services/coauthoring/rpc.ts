import { CommandResult, ForceSaveType, type ServerMessageOf } from '../../client/protocol/index.ts';
import type { Credential, DroppedUsers } from '../../db/dropped-users.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Claims, Tokens } from '../../platform/secrets/tokens.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';
import type { Copies } from '../lifecycle/copies.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import { type HostStorage, isHostAddress } from '../lifecycle/host-storage.ts';
import { type NamedDocument, namedDocument } from './auth/claims.ts';
import { mayDownload } from './auth/identity.ts';
import { signedCredential } from './auth/signed-credential.ts';
import { isRpc, rpcRights } from './document/rights/rpc-rights.ts';
import { allHold } from './document/rights/standing.ts';
import { type DocumentFiles, pathsOf } from './document-files.ts';
import type { ForceSaveWaiters } from './force-save-waiters.ts';
import type { Connection } from './gateway/connection.ts';
import { isDocumentKey } from './gateway/document-path.ts';
import type { SignedIn } from './sign-in/sign-in-attempt.ts';

export interface RpcDependencies {
  jwtEnabled: boolean;
  tokens: Tokens;
  droppedUsers: Pick<DroppedUsers, 'keepsOut'>;
  files: DocumentFiles;
  forceSaves: ForceSaves;
  waiters: ForceSaveWaiters;
  copies: Copies;
  blobs: Pick<BlobStore, 'put'>;
  links: FileLinks;
  hostStorage: Pick<HostStorage, 'rename' | 'refresh'> | null;
  failed: (connection: Connection, error: unknown) => void;
}

/** What a call about a save is answered with (co-authoring protocol, 13.2). `time` is left out where there is none. */
interface SaveAnswer {
  code: CommandResult;
  time?: number;
  inProgress: boolean;
  url?: string;
}

const failure = (code: CommandResult): SaveAnswer => ({ code, inProgress: false });

/**
 * Calls of clients (`rpc`; co-authoring protocol, 13.2). A call of a known type is answered, sooner or later; one that is
 * not known gets no answer, as its client expects of a server that does not have it.
 */
export class Rpc {
  readonly #deps: RpcDependencies;

  constructor(dependencies: RpcDependencies) {
    this.#deps = dependencies;
  }

  /** Resolves when there is nothing more to do for the call but to wait. */
  call(
    connection: Connection,
    signedIn: SignedIn,
    responseKey: ServerMessageOf<'rpc'>['responseKey'],
    data: unknown,
  ): Promise<void> {
    const call = (typeof data === 'object' && data !== null ? data : {}) as Claims;
    const answer = (result: unknown) => connection.say({ type: 'rpc', responseKey, data: result });
    return this.#run(connection, signedIn, call, answer).catch((error: unknown) => {
      this.#deps.failed(connection, error);
      answer(failure(CommandResult.unknownError));
    });
  }

  async #run(
    connection: Connection,
    signedIn: SignedIn,
    call: Claims,
    answer: (result: unknown) => void,
  ): Promise<void> {
    const { type } = call;
    if (!isRpc(type)) return;
    const { needs, otherwise } = rpcRights[type];
    const { actor, member } = signedIn;
    if (!allHold(needs, { member, document: actor.document })) return answer(otherwise);
    switch (type) {
      case 'pathurls': {
        const urls = await this.#deps.files.addressesOf(connection, signedIn, pathsOf(call.data));
        return answer({ type: 'pathurls', status: 'ok', data: urls });
      }
      case 'sendForm':
        return this.#sendForm(signedIn, call.formdata, answer);
      case 'saveRelativeFromChanges':
        return answer(await this.#copy(connection, signedIn, call));
      case 'wopi_RenameFile':
        return answer(await this.#rename(signedIn, call.name));
      case 'wopi_RefreshFile':
        return answer(await this.#refresh(connection, signedIn));
    }
  }

  /** A filled-in form is delivered, with what was filled in. Answered at once only when it was not begun here. */
  async #sendForm(
    { actor, member }: SignedIn,
    formData: unknown,
    answer: (result: SaveAnswer) => void,
  ): Promise<void> {
    const { forceSaves, waiters, blobs } = this.#deps;
    const { key } = actor.document;
    const formDataHash =
      formData === undefined || formData === null
        ? null
        : (await blobs.put(Buffer.from(JSON.stringify(formData)))).hash;
    await actor.run(async () => {
      const type = ForceSaveType.form;
      const request = { key, type, initiator: member.visitor, userData: null, formDataHash };
      const { code, timeMs: time, inProgress } = await forceSaves.request(request);
      if (code !== CommandResult.ok || time === null) return answer(failure(code));
      waiters.add(key, time, ({ success }) => {
        const code = success ? CommandResult.ok : CommandResult.unknownError;
        answer({ code, time, inProgress: false });
      });
      if (inProgress) answer({ code, time, inProgress });
    });
  }

  /** A copy of a document as it is now, for a client that has the integrator's token for it and may download. */
  async #copy(
    connection: Connection,
    { actor, member, permissions }: SignedIn,
    call: Claims,
  ): Promise<SaveAnswer> {
    const { tokens, copies, links, droppedUsers, jwtEnabled } = this.#deps;
    let named: NamedDocument = { key: call.docId, permissions, userId: null };
    let credential: Credential = { digest: null, signedAtS: null };
    if (jwtEnabled) {
      const verified = await tokens.verifyInbox(call.token);
      if (verified.kind !== 'ok') {
        return failure(verified.kind === 'expired' ? CommandResult.expiredToken : CommandResult.badToken);
      }
      // That of a version is for reading, and its key may be one that is being edited.
      const document = namedDocument(verified.claims);
      if (!document) return failure(CommandResult.badToken);
      named = document;
      credential = signedCredential(call.token, verified.claims);
    }
    const { key } = named;
    if (!isDocumentKey(key)) return failure(CommandResult.badDocumentId);
    const isOwn = key === actor.document.key;
    const isGranted = mayDownload(named.permissions) && !(isOwn && !mayDownload(permissions));
    if (!isGranted || (isOwn && member.isShutOut)) return failure(CommandResult.badToken);
    for (const userId of new Set([member.author.userId, named.userId ?? member.author.userId])) {
      if (await droppedUsers.keepsOut(key, userId, credential)) return failure(CommandResult.badToken);
    }
    const time = Date.now();
    // A copy that is asked for now holds everything that the document's actor was given before.
    if (isOwn) await actor.run(async () => undefined);
    const copy = await copies.of(key);
    if ('errorCode' in copy) return failure(CommandResult.unknownError);
    const { baseUrl, routing } = connection.handshake;
    const base = { baseUrl, routing: routingOfDocument(key, routing) };
    const file = { docKey: key, hash: copy.hash, path: `output.${copy.fileType}` };
    return { code: CommandResult.ok, time, inProgress: false, url: links.temporary(file, base) };
  }

  /** The file as its host has it now, for an editor of WOPI whose document is outdated; null where that cannot be had. */
  async #refresh({ handshake }: Connection, { member, permissions }: SignedIn): Promise<object | null> {
    const { callbackUrl } = member.visitor;
    if (!isHostAddress(callbackUrl)) return null;
    const usid = handshake.routing?.usid ?? null;
    const wish = { chat: permissions?.chat !== false, usid };
    return (await this.#deps.hostStorage?.refresh(callbackUrl, wish)) ?? null;
  }

  /** The name that the host of the file gave it; without one it was not renamed. */
  async #rename({ member }: SignedIn, name: unknown): Promise<{ Name?: string }> {
    const { hostStorage } = this.#deps;
    const { callbackUrl } = member.visitor;
    if (!hostStorage || !callbackUrl || typeof name !== 'string') return {};
    const renamed = await hostStorage.rename(callbackUrl, name);
    return renamed.ok ? { Name: renamed.name } : {};
  }
}
