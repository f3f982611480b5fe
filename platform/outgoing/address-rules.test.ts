import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AddressKind,
  AddressRefusedError,
  addressKind,
  checkHost,
  isAddressAllowed,
} from './address-rules.ts';

const nothing = { allowPrivate: false, allowMetadata: false };
const vouched = { allowPrivate: true, allowMetadata: false };

test('[OA1] every special range is known for what it is', () => {
  const cases: Record<AddressKind, string[]> = {
    public: ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '172.32.0.1', '100.128.0.1', '192.175.48.1'],
    private: [
      '127.0.0.1',
      '127.255.0.9',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
    ].concat(['0.0.0.0', '0.1.2.3', '::', '::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0']),
    metadata: [
      '169.254.169.254',
      '169.254.170.2',
      '169.254.0.1',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
    ].concat(['fd00:ec2::254', 'fd20:ce::254']),
    unusable: [
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.2.1',
      'ff02::1',
      '2001:db8::1',
      'fec0::1',
      '2001::1',
    ].concat(['64:ff9b:1::a00:1', 'localhost', '']),
  };
  for (const [kind, addresses] of Object.entries(cases)) {
    for (const address of addresses) expect(addressKind(address), address).toBe(kind);
  }
});

test('[OA2] an IPv6 address that stands for an IPv4 address is judged as that one', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), ([a, b, c, d]) => {
      const kind = addressKind(`${a}.${b}.${c}.${d}`);
      const low = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      expect(addressKind(`::ffff:${low}`)).toBe(kind);
      expect(addressKind(`64:ff9b::${low}`)).toBe(kind);
      expect(addressKind(`::ffff:0:${low}`)).toBe(kind);
      expect(addressKind(`2002:${low}::1`)).toBe(kind);
    }),
  );
  expect(addressKind('::127.0.0.1')).toBe('private');
  expect(addressKind('::a9fe:a9fe')).toBe('metadata');
});

test('[OA3] a token lets private addresses be contacted and never metadata services', () => {
  for (const address of ['127.0.0.1', '10.0.0.5', 'fd12::1']) {
    expect(isAddressAllowed(address, nothing)).toBe(false);
    expect(isAddressAllowed(address, vouched)).toBe(true);
  }
  expect(isAddressAllowed('169.254.169.254', vouched)).toBe(false);
  expect(isAddressAllowed('169.254.169.254', { allowPrivate: false, allowMetadata: true })).toBe(true);
  expect(isAddressAllowed('224.0.0.1', { allowPrivate: true, allowMetadata: true })).toBe(false);
});

test('[OA4] literal addresses in any spelling a URL allows, and names of metadata services, are refused', () => {
  const hosts = ['2130706433', '0x7f.1', '017700000001', '127.1', '[::1]', '[::ffff:7f00:1]', '10.0.0.1.'];
  for (const host of hosts) {
    const { hostname } = new URL(`http://${host}/`);
    expect(() => checkHost(hostname, nothing), host).toThrow(AddressRefusedError);
  }
  for (const host of [
    'metadata.google.internal',
    'METADATA.google.internal.',
    '169.254.169.254',
    '[fd00:ec2::254]',
  ]) {
    expect(() => checkHost(host, vouched), host).toThrow(AddressRefusedError);
  }
  checkHost('example.com', nothing);
  checkHost('8.8.8.8', nothing);
});
