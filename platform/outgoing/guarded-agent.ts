import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { AddressRefusedError, type AddressRules, checkHost, isAddressAllowed } from './address-rules.ts';

/** Resolves a name to all its addresses, like `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (err: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/**
 * A `lookup` for sockets that gives only allowed addresses. The socket connects to what it gives, so a name
 * that resolves differently a moment later cannot lead anywhere else.
 */
export function guardedLookup(rules: AddressRules, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (err, addresses) => {
      if (err) return callback(err, []);
      const allowed = addresses.filter(({ address }) => isAddressAllowed(address, rules, hostname));
      if (allowed.length === 0) return callback(new AddressRefusedError(hostname), []);
      if (options.all) return callback(null, allowed);
      return callback(null, allowed[0]!.address, allowed[0]!.family);
    });
  };
}

/** Limits of the connections of one agent, milliseconds. */
interface AgentLimits {
  connectTimeoutMs: number;
}

/**
 * An HTTP agent that connects only where `rules` allow, whatever a URL, a resolver or a redirect says. It
 * pools connections, so requests under different rules need agents of their own.
 */
export function guardedAgent(rules: AddressRules, limits: AgentLimits, resolve?: Resolve): Agent {
  const connect = buildConnector({
    lookup: guardedLookup(rules, resolve),
    timeout: limits.connectTimeoutMs,
  });
  return new Agent({
    connect(options, callback) {
      try {
        checkHost(options.hostname, rules);
      } catch (err) {
        callback(err as Error, null);
        return;
      }
      connect(options, callback);
    },
  });
}
