import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { callerAddress, isLocalCaller } from './caller.ts';

const callerOf = (remoteAddress: string, forwardedFor?: string, TRUST_PROXY = 'loopback,10.0.0.0/8') =>
  callerAddress(
    { headers: { 'x-forwarded-for': forwardedFor }, socket: { remoteAddress } },
    loadConfig({ TRUST_PROXY }),
  );

test('[RA1] the caller is the last address that trusted proxies vouch for', () => {
  expect(callerOf('203.0.113.7')).toBe('203.0.113.7');
  expect(callerOf('127.0.0.1')).toBe('127.0.0.1');
  expect(callerOf('203.0.113.7', '10.0.0.1')).toBe('203.0.113.7');
  expect(callerOf('10.0.0.2', '198.51.100.4')).toBe('198.51.100.4');
  expect(callerOf('10.0.0.2', '192.0.2.1, 198.51.100.4, 10.0.0.3')).toBe('198.51.100.4');
  expect(callerOf('::ffff:10.0.0.2', '198.51.100.4:4711')).toBe('198.51.100.4');
  expect(callerOf('::1', '[2001:db8::1]:4711')).toBe('2001:db8::1');
  expect(callerOf('10.0.0.2', '198.51.100.4', 'none')).toBe('10.0.0.2');
});

test('[RA1] `Forwarded` says the same where there is none of the older headers', () => {
  const caller = (forwarded: string, headers: Record<string, string> = {}, remoteAddress = '10.0.0.2') =>
    callerAddress({ headers: { forwarded, ...headers }, socket: { remoteAddress } }, loadConfig({}));
  expect(caller('for=198.51.100.4;proto=https')).toBe('198.51.100.4');
  expect(caller('for=192.0.2.1, For="198.51.100.4:4711";by=x, for=10.0.0.3')).toBe('198.51.100.4');
  expect(caller('for="[2001:db8::1]:4711"')).toBe('2001:db8::1');
  expect(caller('for=_hidden')).toBe('_hidden');
  expect(caller('proto=https')).toBe('10.0.0.2');
  expect(caller('for=198.51.100.4', {}, '203.0.113.7')).toBe('203.0.113.7');
  expect(caller('for=192.0.2.1', { 'x-forwarded-for': '198.51.100.4' })).toBe('198.51.100.4');
  expect(caller('for=192.0.2.1', { 'x-forwarded-host': 'docs.example' })).toBe('10.0.0.2');
});

test('[RA1] only who is on this machine, and no client of a proxy on it, is local', () => {
  const isLocal = (remoteAddress: string, headers: Record<string, string> = {}) =>
    isLocalCaller({ headers, socket: { remoteAddress } });
  expect(isLocal('127.0.0.1')).toBe(true);
  expect(isLocal('::ffff:127.0.0.1')).toBe(true);
  expect(isLocal('::1', { 'x-forwarded-for': '127.0.0.1' })).toBe(true);
  expect(isLocal('10.0.0.2')).toBe(false);
  expect(isLocal('10.0.0.2', { 'x-forwarded-for': '127.0.0.1' })).toBe(false);
  expect(isLocal('127.0.0.1', { 'x-forwarded-for': '198.51.100.4' })).toBe(false);
  expect(isLocal('127.0.0.1', { 'x-forwarded-for': '127.0.0.1, 198.51.100.4' })).toBe(false);
  expect(isLocal('127.0.0.1', { 'x-forwarded-host': 'docs.example' })).toBe(false);
  expect(isLocal('127.0.0.1', { 'x-real-ip': '198.51.100.4' })).toBe(false);
  expect(isLocal('127.0.0.1', { forwarded: 'for=127.0.0.1' })).toBe(false);
  for (const scheme of ['x-forwarded-proto', 'x-forwarded-ssl', 'x-scheme', 'front-end-https'])
    expect(isLocal('127.0.0.1', { [scheme]: 'on' }), scheme).toBe(false);
});
