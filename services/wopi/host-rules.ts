import type { Config } from '../../platform/config.ts';

/**
 * Which hosts may be spoken to. Anybody who reaches this server can name a host, so only those are used that the operator has named
 * (`WOPI_HOSTS`), which may be private; without a list none is.
 */
export class HostRules {
  readonly #allowed: readonly URL[];

  constructor({ wopiHosts }: Pick<Config, 'wopiHosts'>) {
    this.#allowed = wopiHosts?.split(',').map((text) => new URL(text.trim())) ?? [];
  }

  /** Whether the operator has named this host. */
  mayUse(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return this.#allowed.some(({ origin, pathname }) => {
      const below = pathname.replace(/\/+$/, '');
      return url.origin === origin && (url.pathname === below || url.pathname.startsWith(`${below}/`));
    });
  }
}
