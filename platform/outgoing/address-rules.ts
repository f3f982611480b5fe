import ipaddr from 'ipaddr.js';
import type { IpFilter } from '../config.ts';
import { QuireError } from '../quire-error.ts';

/**
 * What an IP address leads to:
 * `public` the internet; `private` this host or its networks; `metadata` services that hand out a machine's
 * credentials; `unusable` nothing a TCP connection can reach.
 */
export type AddressKind = 'public' | 'private' | 'metadata' | 'unusable';

/** Which kinds of address may be contacted besides public ones, and which hosts at all. */
export interface AddressRules {
  allowPrivate: boolean;
  allowMetadata: boolean;
  /** The operator's list of hosts; without it all may be contacted. */
  filter?: IpFilter;
}

/** An address was refused by the rules. `address` is what was refused, a name or an IP address. */
export class AddressRefusedError extends QuireError {
  readonly address: string;

  constructor(address: string) {
    super('refused', `The address ${address} may not be contacted`);
    this.address = address;
  }
}

/**
 * Metadata services outside link-local IPv4, which counts as one as a whole (169.254.169.254 and its many
 * siblings for tasks, pods and instances; documents are not kept on link-local hosts).
 */
const metadataAddresses = [
  '100.100.100.200', // Alibaba Cloud
  '168.63.129.16', // Azure
  '192.0.0.192', // Oracle Cloud
  'fd00:ec2::/32', // AWS
  'fd20:ce::/32', // Google Cloud
].map((text): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  return [ipaddr.parse(text), 32];
});

const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

const kindOfRange: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  as112: 'public',
  as112v6: 'public',
  amt: 'public',
  loopback: 'private',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  benchmarking: 'private',
  // 0.0.0.0 and :: connect to this host on Linux.
  unspecified: 'private',
};

/**
 * The kind of an address. An IPv6 address that stands for an IPv4 one (mapped, compatible, NAT64, 6to4) is
 * judged as that one. Ranges with no known use are unusable.
 */
export function addressKind(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return 'unusable';
  let ip = ipaddr.process(address);
  if (ip.kind() === 'ipv6') ip = embeddedIpv4(ip as ipaddr.IPv6) ?? ip;
  for (const [network, bits] of metadataAddresses) {
    if (ip.kind() === network.kind() && ip.match(network, bits)) return 'metadata';
  }
  const range = ip.range();
  if (range === 'linkLocal') return ip.kind() === 'ipv4' ? 'metadata' : 'private';
  return kindOfRange[range] ?? 'unusable';
}

const embeddings: readonly { prefix: string; bits: number; firstByte: number }[] = [
  { prefix: '64:ff9b::', bits: 96, firstByte: 12 }, // NAT64, RFC 6052
  { prefix: '::ffff:0:0:0', bits: 96, firstByte: 12 }, // translated, RFC 2765
  { prefix: '2002::', bits: 16, firstByte: 2 }, // 6to4, RFC 3056
  { prefix: '::', bits: 96, firstByte: 12 }, // compatible, RFC 4291
];

function embeddedIpv4(ip: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const text = ip.toNormalizedString();
  if (text === '0:0:0:0:0:0:0:0' || text === '0:0:0:0:0:0:0:1') return undefined;
  const embedding = embeddings.find(({ prefix, bits }) => ip.match(ipaddr.IPv6.parse(prefix), bits));
  if (!embedding) return undefined;
  return new ipaddr.IPv4(ip.toByteArray().slice(embedding.firstByte, embedding.firstByte + 4));
}

/** Whether the rules let an IP address be contacted, which `host` stands for. */
export function isAddressAllowed(address: string, rules: AddressRules, host: string = address): boolean {
  if (rules.filter?.allows(host, address) === false) return false;
  const kind = addressKind(address);
  if (kind === 'public') return true;
  if (kind === 'private') return rules.allowPrivate;
  return kind === 'metadata' && rules.allowMetadata;
}

/**
 * Checks a host as it stands in a URL before anything is resolved: metadata services by name, and literal
 * addresses, which never reach a resolver.
 * @throws AddressRefusedError
 */
export function checkHost(host: string, rules: AddressRules): void {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (metadataNames.has(name) && !rules.allowMetadata) throw new AddressRefusedError(name);
  if (ipaddr.isValid(name) && !isAddressAllowed(name, rules)) throw new AddressRefusedError(name);
}
