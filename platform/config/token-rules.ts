import type { Config } from './settings.ts';

/** How tokens go with requests in one direction. */
export interface TokenRules {
  /** Whether requests of this direction need one (inbox), or get one (outbox). */
  enabled: boolean;
  /** Name of the header. */
  header: string;
  /** What stands before the token in it, the space included. */
  prefix: string;
}

type Named<Names extends keyof Config> = Pick<Config, Names>;

const prefixOf = (word: string): string => (word === 'none' ? '' : `${word} `);

/** Tokens of integrators' commands and conversions (integration API, 12.1). */
export function inboxRules(
  config: Named<
    'jwtEnabled' | 'jwtEnabledInbox' | 'jwtHeader' | 'jwtHeaderInbox' | 'jwtPrefix' | 'jwtPrefixInbox'
  >,
): TokenRules {
  return {
    enabled: config.jwtEnabledInbox ?? config.jwtEnabled,
    header: config.jwtHeaderInbox ?? config.jwtHeader,
    prefix: prefixOf(config.jwtPrefixInbox ?? config.jwtPrefix),
  };
}

/** Tokens of this server's callbacks and downloads (integration API, 12.1). */
export function outboxRules(
  config: Named<
    'jwtEnabled' | 'jwtEnabledOutbox' | 'jwtHeader' | 'jwtHeaderOutbox' | 'jwtPrefix' | 'jwtPrefixOutbox'
  >,
): TokenRules {
  return {
    enabled: config.jwtEnabledOutbox ?? config.jwtEnabled,
    header: config.jwtHeaderOutbox ?? config.jwtHeader,
    prefix: prefixOf(config.jwtPrefixOutbox ?? config.jwtPrefix),
  };
}
