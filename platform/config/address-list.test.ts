import { expect, test } from 'vitest';
import { addressGroup } from './address-list.ts';

test('[GW16] one address of IPv4 and one /64 of IPv6 count as one, in whatever spelling; what is no address counts as its text', () => {
  expect(addressGroup('198.51.100.7')).toBe('198.51.100.7');
  expect(addressGroup('::ffff:198.51.100.7')).toBe('198.51.100.7');
  const network = addressGroup('2001:db8:1:2::1');
  expect(addressGroup('2001:0DB8:0001:0002:ffff::9')).toBe(network);
  expect(addressGroup('2001:db8:1:3::1')).not.toBe(network);
  expect(addressGroup('unknown')).toBe('unknown');
  expect(addressGroup('x'.repeat(10_000)).length).toBeLessThan(100);
  expect(addressGroup(undefined)).toBe('');
});
