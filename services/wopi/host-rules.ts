import type { Config } from '../config.ts';

/**
 * Which hosts may be spoken to. Whoever reaches this server can name a host, so without a list a host is treated like
 * any address nobody vouches for: private ones are refused unless the settings allow them. With a list (`WOPI_HOSTS`) only
 * what is in it is used, and may be private.
 */
export class HostRules {
  readonly #allowed: readonly URL[] | null;

  constructor({ wopiHosts }: Pick<Config, 'wopiHosts'>) {
    this.#allowed = wopiHosts === undefined ? null : wopiHosts.split(',').map((text) => new URL(text.trim()));
  }

  mayUse(address: string): boolean {
    return this.#allowed === null || this.isVouchedFor(address);
  }

  /** Whether the operator has named this host. */
  isVouchedFor(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return (this.#allowed ?? []).some(({ origin, pathname }) => {
      const below = pathname.replace(/\/+$/, '');
      return url.origin === origin && (url.pathname === below || url.pathname.startsWith(`${below}/`));
    });
  }
}
