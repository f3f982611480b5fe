import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIpFilter } from './ip-filter.ts';

const filterOf = (text: string) => {
  const parsed = parseIpFilter(text);
  if (!('value' in parsed)) throw new Error(parsed.problem);
  return parsed.value;
};

test('[RA2] the first rule that matches a host or its address decides, and what none matches is allowed', () => {
  const filter = filterOf(
    'allow storage.example, allow *.files.example, deny 10.1.*, allow 10.0.0.0/8, deny *',
  );
  const decisions = [
    ['storage.example', '198.51.100.4', true],
    ['STORAGE.example.', '198.51.100.4', true],
    ['a.files.example', '198.51.100.4', true],
    ['files.example', '198.51.100.4', false],
    ['xstorage.example', '198.51.100.4', false],
    ['inner.example', '10.2.3.4', true],
    ['inner.example', '10.1.3.4', false],
    ['inner.example', '::ffff:10.2.3.4', true],
    ['10.2.3.4', '10.2.3.4', true],
    ['elsewhere.example', '203.0.113.9', false],
  ] as const;
  for (const [host, address, allowed] of decisions) {
    expect([host, address, filter.allows(host, address)]).toEqual([host, address, allowed]);
  }
  expect(filterOf('deny 203.0.113.9').allows('elsewhere.example', '198.51.100.4')).toBe(true);
});

test('[RA2] addresses are compared in one spelling', () => {
  const filter = filterOf('deny 2001:db8:0:0::1, deny fd00::/8');
  expect(filter.allows('[2001:db8::1]')).toBe(false);
  expect(filter.allows('2001:DB8::0:1')).toBe(false);
  expect(filter.allows('[fd12::9]')).toBe(false);
  expect(filter.allows('[2001:db8::2]')).toBe(true);
  expect(filterOf('deny 127.0.0.1').allows('[::ffff:7f00:1]')).toBe(false);
});

test('[RA2] what is no rule is a problem, and no text makes reading throw', () => {
  for (const text of [
    '',
    'permit x',
    'allow',
    'deny a b',
    'deny 10.0.0.0/99',
    'deny (x)',
    'allow x,,deny y',
  ]) {
    expect([text, parseIpFilter(text)]).toEqual([text, { problem: expect.stringContaining('holds') }]);
  }
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.ipV4(), (rules, host, address) => {
      const parsed = parseIpFilter(rules);
      if ('value' in parsed) expect(typeof parsed.value.allows(host, address)).toBe('boolean');
    }),
  );
});
