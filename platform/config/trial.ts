import type { Config } from './settings.ts';

/** Where a trial listens: this machine alone, by both families of addresses. */
const thisMachine = 'localhost';
/** What `localhost` is, whatever the resolver makes of it. */
const loopback = ['127.0.0.1', '::1'] as const;

/**
 * Whether this server is only being tried: nobody has named a database for it, nor an address under which others reach it.
 * Then it listens on this machine alone unless `HOST` says otherwise, serves the example, and takes any secret. A server
 * that is set up (either of them is named) asks for what a trial does without: `PUBLIC_URL`, and secrets that nobody guesses.
 */
export function isTrial({ databaseUrl, publicUrl }: Pick<Config, 'databaseUrl' | 'publicUrl'>): boolean {
  return databaseUrl === undefined && publicUrl === undefined;
}

/** The host name or address to listen on; undefined: all addresses. */
export function hostOf(config: Pick<Config, 'databaseUrl' | 'publicUrl' | 'host'>): string | undefined {
  return config.host ?? (isTrial(config) ? thisMachine : undefined);
}

/** The addresses to listen on. */
export function listeningHosts(
  config: Pick<Config, 'databaseUrl' | 'publicUrl' | 'host'>,
): readonly [string | undefined, ...string[]] {
  const host = hostOf(config);
  return host === thisMachine ? loopback : [host];
}

/** A sentence when a server that is set up has no public address; else null. */
export function missingPublicUrl(config: Pick<Config, 'databaseUrl' | 'publicUrl'>): string | null {
  if (config.publicUrl !== undefined || isTrial(config)) return null;
  return 'PUBLIC_URL is not set: which address links and callbacks begin with is taken from requests, which can name any host.';
}

/** A sentence for the start of a trial about where it listens; null where that is configured. */
export function listeningNotice(config: Pick<Config, 'databaseUrl' | 'publicUrl' | 'host'>): string | null {
  if (config.host !== undefined || !isTrial(config)) return null;
  return 'It listens on this machine only. HOST=0.0.0.0 lets other machines in, who may use the example then as well.';
}
