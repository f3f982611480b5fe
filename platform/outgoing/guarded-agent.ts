import { lookup as systemLookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressRefusedError, type AddressRules, isAddressAllowed } from './address-rules.ts';

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

/** How long a name is looked up that a proxy will look up too, milliseconds. */
const lookingUpMs = 2_000;

/**
 * Checks where a name leads before a proxy is asked for it. A name that this machine cannot look up is for the proxy to know,
 * unless the operator's list of hosts refuses it.
 *
 * @throws AddressRefusedError
 */
export function checkName(hostname: string, rules: AddressRules, resolve?: Resolve): Promise<void> {
  return new Promise((known, refuse) => {
    const unknown = () => {
      if (rules.filter?.allows(hostname) === false) refuse(new AddressRefusedError(hostname));
      else known();
    };
    const timer = setTimeout(unknown, lookingUpMs);
    guardedLookup(rules, resolve)(hostname, { all: true }, (err) => {
      clearTimeout(timer);
      if (err === null) known();
      else if (err instanceof AddressRefusedError) refuse(err);
      else unknown();
    });
  });
}

/** How long an unused connection is kept, milliseconds; shorter where the server says so. Most servers keep them for 5 s. */
export const unusedConnectionMs = 4_000;

/**
 * An agent of Node's HTTP client that follows names only to where `rules` allow, whatever a resolver or a redirect says.
 * An address that is written in the URL is looked up by nobody: `checkHost` is for that. Where it keeps connections,
 * requests under different rules need agents of their own.
 *
 * @param protocol of the addresses, as `URL.protocol` has it
 */
export function guardedAgent(
  protocol: 'http:' | 'https:',
  { rules, keepAlive, resolve }: { rules: AddressRules; keepAlive: boolean; resolve?: Resolve | undefined },
): http.Agent {
  return agentFor(protocol, { lookup: guardedLookup(rules, resolve), keepAlive });
}

/** An agent for whatever address: without a `lookup` it follows names anywhere. */
export function agentFor(
  protocol: 'http:' | 'https:',
  given: { keepAlive: boolean; lookup?: LookupFunction },
): http.Agent {
  const options = { ...given, timeout: unusedConnectionMs };
  return endingWhatIsSentUnasked(protocol === 'https:' ? new https.Agent(options) : new http.Agent(options));
}

const end = function (this: Duplex): void {
  this.destroy();
};

/**
 * Lets an agent end an unused connection on which something comes. Node would read it and forget it; and where a part of it
 * came before the next request and the rest after, it would take that for the answer.
 */
export function endingWhatIsSentUnasked(agent: http.Agent): http.Agent {
  const { keepSocketAlive, reuseSocket } = agent;
  agent.keepSocketAlive = (socket) => {
    socket.on('data', end);
    return keepSocketAlive.call(agent, socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', end);
    reuseSocket.call(agent, socket, request);
  };
  return agent;
}
