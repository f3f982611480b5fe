import type { AuthRequest } from '../../../client/protocol/index.ts';
import { type HostStorage, isHostAddress } from '../../lifecycle/host-storage.ts';
import { isViewer } from '../auth/identity.ts';
import type { WopiClaims } from '../auth/wopi-claims.ts';

/** Who asks to come in, and as what; admission may make it less. */
export interface AuthorisedRequest {
  request: AuthRequest;
  /** What the token of a WOPI page says; null for everybody else. */
  wopi: WopiClaims | null;
  /** The lock at the file's WOPI host is somebody else's by now. */
  lockLost: boolean;
}

/** Who may come to documents of WOPI hosts, and as what. `hostStorage`: null where WOPI is off. */
export class HostAccess {
  readonly #hostStorage: HostStorage | null;

  constructor(hostStorage: HostStorage | null) {
    this.#hostStorage = hostStorage;
  }

  /**
   * A document of a WOPI host opens only with the token of a WOPI page, and such a token opens no other document.
   * Somebody who comes while the last save is on its way waits for it.
   */
  async isRightWay(key: string, request: AuthRequest, wopi: WopiClaims | null): Promise<boolean> {
    if (request.sessionId) return true;
    if (wopi) await this.#hostStorage?.settled(key);
    if (wopi) return this.#hostStorage !== null;
    const named = [request.documentCallbackUrl, request.openCmd?.url];
    return !named.some(isHostAddress) && !(await this.#hostStorage?.owns(key));
  }

  /** An editor of a WOPI host's file needs its lock, and is a viewer without it. */
  async admit({
    key,
    request,
    wopi,
    lockLost,
  }: AuthorisedRequest & { key: string }): Promise<AuthorisedRequest> {
    const asking = { request, wopi, lockLost };
    const hostStorage = this.#hostStorage;
    if (!hostStorage || isViewer(request) || request.isCloseCoAuthoring === true) return asking;
    if (request.sessionId) return { ...asking, lockLost: !(await hostStorage.reenter(key)) };
    if (!wopi) return asking;
    const admission = await hostStorage.enter(key, wopi.sessionId);
    if (admission.mode === 'edit') return asking;
    return {
      ...asking,
      request: { ...request, mode: 'view', documentCallbackUrl: '' },
      wopi: { ...wopi, viewNotice: admission.notice },
    };
  }
}
