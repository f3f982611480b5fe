import ipaddr from 'ipaddr.js';
import type { Parsed, Setting } from './setting.ts';

/** One rule: whether what matches is allowed. */
interface Rule {
  allowed: boolean;
  matches: (host: string, addresses: readonly string[]) => boolean;
}

/**
 * Which hosts may be contacted, and which callers may use the API (integration API, 15.2). The first rule that matches
 * the name or one of its addresses decides; what no rule matches is allowed.
 */
export class IpFilter {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** Whether there is anything to decide at all. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /**
   * Whether a host may be contacted at an address. `host` is what an address of ours names, or the caller's address
   * itself; `address` is what it resolves to.
   */
  allows(host: string, address: string = host): boolean {
    if (this.isEmpty) return true;
    const name = bareHost(host);
    const addresses = [name, address].map(normalAddress).filter((one) => one !== undefined);
    const rule = this.#rules.find(({ matches }) => matches(name, addresses));
    return rule?.allowed ?? true;
  }
}

/** Nothing is forbidden. */
const openFilter = new IpFilter([]);

/** Lower case, without the brackets of an IPv6 address and without the dot that ends a full name. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** The one spelling of an address; IPv4 in IPv6 is IPv4. */
function normalAddress(text: string): string | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}

/**
 * Reads rules separated by commas: `allow` or `deny`, a space, and a host name, an address, a range (`10.0.0.0/8`) or a
 * pattern in which `*` stands for any characters (`*.example.com`, `192.168.*`).
 */
export function parseIpFilter(text: string): Parsed<IpFilter> {
  const rules: Rule[] = [];
  for (const item of text.split(',').map((part) => part.trim())) {
    const [, word, pattern] = /^(allow|deny)\s+(\S+)$/i.exec(item) ?? [];
    const matches = pattern === undefined ? undefined : matcherOf(pattern.toLowerCase());
    if (!matches)
      return { problem: `holds "${item}", which is not "allow" or "deny" and a host, range or pattern` };
    rules.push({ allowed: word!.toLowerCase() === 'allow', matches });
  }
  return { value: new IpFilter(rules) };
}

function matcherOf(pattern: string): Rule['matches'] | undefined {
  if (pattern.includes('/')) {
    if (!ipaddr.isValidCIDR(pattern)) return undefined;
    const [network, bits] = ipaddr.parseCIDR(pattern);
    return (_host, addresses) =>
      addresses
        .map((text) => ipaddr.parse(text))
        .some((ip) => ip.kind() === network.kind() && ip.match(network, bits));
  }
  const bare = bareHost(pattern);
  const exact = normalAddress(bare) ?? bare;
  if (!/^[a-z0-9.:_*-]+$/.test(exact)) return undefined;
  const parts = exact.split('*').map((part) => part.replace(/[.]/g, '\\.'));
  const expression = new RegExp(`^${parts.join('.*')}$`);
  return (host, addresses) => expression.test(host) || addresses.some((one) => expression.test(one));
}

/** A setting that holds the rules of an IP filter. */
export function ipFilter(env: string, description: string): Setting<IpFilter> {
  return {
    env,
    type: 'rules',
    defaultText: 'none',
    description,
    defaultValue: openFilter,
    parse: parseIpFilter,
  };
}
