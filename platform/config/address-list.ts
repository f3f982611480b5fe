import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Parsed, Setting } from './setting.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  all: ['0.0.0.0/0', '::/0'],
  none: [],
};

/** A set of IP addresses, given as names, addresses and CIDR ranges. */
export class AddressList {
  readonly #ranges: readonly Range[];

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /** Whether no address is in the set. */
  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** Whether `address` is in the set. An IPv4 address written as IPv6 counts as IPv4; no address is in no set. */
  includes(address: string | undefined): boolean {
    if (address === undefined || !ipaddr.isValid(address)) return false;
    const ip = ipaddr.process(address);
    return this.#ranges.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
  }
}

/**
 * Reads a comma-separated list of `loopback`, `linklocal`, `uniquelocal`, `all` (or `true`), `none` (or
 * `false`), addresses and CIDR ranges.
 */
export function parseAddressList(text: string): Parsed<AddressList> {
  const ranges: Range[] = [];
  for (const item of text.split(',').map((part) => part.trim().toLowerCase())) {
    const word = item === 'true' ? 'all' : item === 'false' ? 'none' : item;
    const parts = Object.hasOwn(namedRanges, word) ? namedRanges[word]! : [word];
    for (const part of parts) {
      const range = parseRange(part);
      if (!range) return { problem: `holds "${item}", which is no address, CIDR range or known name` };
      ranges.push(range);
    }
  }
  return { value: new AddressList(ranges) };
}

function parseRange(text: string): Range | undefined {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const ip = ipaddr.parse(text);
    return [ip, ip.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
}

/** The bits of an IPv6 address that name the network of one customer. */
const networkBits = 64;
/** Proxies write whatever they like where an address belongs. */
const longestName = 64;

/** Of IPv4 addresses, as sockets that take both kinds have them. */
const mappedPrefix = '::ffff:';

/** What is counted as one client: an IPv4 address, or the network of an IPv6 address. */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) return '';
  // Of most addresses, each of which is asked for a few times for whoever comes.
  const bare = address.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
  if (isIPv4(bare)) return bare;
  if (!ipaddr.isValid(address)) return address.slice(0, longestName);
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${networkBits}`).toString();
}

/** A setting that holds an address list. */
export function addressList(env: string, defaultText: string, description: string): Setting<AddressList> {
  const parsed = parseAddressList(defaultText);
  if (!('value' in parsed)) throw new Error(`The default of ${env} ${parsed.problem}`);
  return {
    env,
    type: 'address list',
    defaultText,
    description,
    defaultValue: parsed.value,
    parse: parseAddressList,
  };
}
