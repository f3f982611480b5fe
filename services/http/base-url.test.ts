import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { type BaseUrlRequest, baseUrl } from './base-url.ts';

const config = loadConfig({});
const request = (headers: BaseUrlRequest['headers'], remoteAddress = '10.0.0.2'): BaseUrlRequest => ({
  headers,
  socket: { remoteAddress },
});

test('[BU1] without a proxy the address is the scheme of the connection and the Host header', () => {
  expect(baseUrl(request({ host: 'docs.test:8000' }), config)).toBe('http://docs.test:8000');
  const encrypted = { headers: { host: '[2001:db8::1]:8443' }, socket: { encrypted: true } };
  expect(baseUrl(encrypted, config)).toBe('https://[2001:db8::1]:8443');
  expect(baseUrl(request({}), config)).toBe('http://localhost');
});

test('[BU2] a trusted proxy says scheme, host and path prefix; the first value of a list counts', () => {
  const headers = {
    host: 'inside:8000',
    'x-forwarded-proto': 'https, http',
    'x-forwarded-host': 'a.test, b.test',
  };
  expect(baseUrl(request(headers), config)).toBe('https://a.test');
  expect(baseUrl(request({ ...headers, 'x-forwarded-prefix': '/docs/v1/' }), config)).toBe(
    'https://a.test/docs/v1',
  );
  const cloudfront = { ...headers, 'cloudfront-forwarded-proto': 'http' };
  expect(baseUrl(request(cloudfront), config)).toBe('http://a.test');
  expect(baseUrl(request({ ...headers, 'x-forwarded-proto': 'gopher' }), config)).toBe('http://a.test');
});

test('[BU2] a proxy that names the scheme of a WebSocket means that of the page', () => {
  const at = (proto: string) =>
    baseUrl(request({ 'x-forwarded-host': 'a.test', 'x-forwarded-proto': proto }), config);
  expect(['wss', 'WSS, http', 'ws', 'wsss'].map(at)).toEqual([
    'https://a.test',
    'https://a.test',
    'http://a.test',
    'http://a.test',
  ]);
});

test('[BU2] a path behind the forwarded host is the prefix, and a prefix needs no slash', () => {
  const at = (headers: BaseUrlRequest['headers']) =>
    baseUrl(request({ host: 'inside:8000', ...headers }), config);
  const host = { 'x-forwarded-host': 'docs.test:8443/ds-vpath' };
  expect(at(host)).toBe('http://docs.test:8443/ds-vpath');
  expect(at({ 'x-forwarded-host': 'docs.test/a/b/' })).toBe('http://docs.test/a/b');
  expect(at({ 'x-forwarded-host': 'docs.test/' })).toBe('http://docs.test');
  for (const prefix of ['/ds-vpath', 'ds-vpath', 'ds-vpath/'])
    expect(at({ ...host, 'x-forwarded-prefix': prefix })).toBe('http://docs.test:8443/ds-vpath');
  expect(at({ ...host, 'x-forwarded-prefix': 'v1' })).toBe('http://docs.test:8443/ds-vpath/v1');
  expect(at({ 'x-forwarded-host': 'docs.test', 'x-forwarded-prefix': 'ds' })).toBe('http://docs.test/ds');
});

test('[BU10] `Forwarded` says scheme and host where no older header says anything', () => {
  const at = (forwarded: string, headers: BaseUrlRequest['headers'] = {}) =>
    baseUrl(request({ host: 'inside:8000', forwarded, ...headers }), config);
  expect(at('proto=https;host=docs.test')).toBe('https://docs.test');
  expect(at('For=192.0.2.60; Proto=HTTPS ;host="docs.test:8443", for=10.0.0.9;host=b.test')).toBe(
    'https://docs.test:8443',
  );
  expect(at('host="[2001:db8::1]";proto=wss')).toBe('https://[2001:db8::1]');
  expect(at('host=evil.test', { 'x-forwarded-proto': 'https' })).toBe('https://inside:8000');
  for (const older of ['x-forwarded-for', 'x-real-ip', 'x-forwarded-port', 'x-forwarded-prefix'])
    expect(at('host=evil.test', { [older]: '' }), older).toBe('http://inside:8000');
  for (const wrong of ['host="evil.test', 'host', '=evil.test', 'host=evil.test proto=https', 'host="a/b?c"'])
    expect(at(wrong), wrong).toBe('http://inside:8000');
  const untrusted = request({ host: 'docs.test', forwarded: 'host=evil.test' }, '203.0.113.9');
  expect(baseUrl(untrusted, config)).toBe('http://docs.test');
});

test('[BU11] X-Forwarded-Ssl is the scheme, and X-Forwarded-Port the port of a host without one', () => {
  const at = (headers: BaseUrlRequest['headers']) =>
    baseUrl(request({ host: 'docs.test', ...headers }), config);
  expect(at({ 'x-forwarded-ssl': 'on' })).toBe('https://docs.test');
  expect(at({ 'x-forwarded-ssl': 'off' })).toBe('http://docs.test');
  expect(at({ 'x-forwarded-ssl': 'on', 'x-forwarded-proto': 'http' })).toBe('http://docs.test');
  const https = { 'x-forwarded-proto': 'https' };
  expect(at({ ...https, 'x-forwarded-port': '8443' })).toBe('https://docs.test:8443');
  expect(at({ ...https, 'x-forwarded-host': 'a.test:9000', 'x-forwarded-port': '8443' })).toBe(
    'https://a.test:9000',
  );
  expect(at({ ...https, 'x-forwarded-host': '[::1]', 'x-forwarded-port': '8443' })).toBe(
    'https://[::1]:8443',
  );
  for (const port of ['443', '80', '0', '65536', '8443/x', ''])
    expect(at({ ...https, 'x-forwarded-port': port }), port).toBe('https://docs.test');
});

test('[BU12] other names for the scheme count where nothing else says it', () => {
  const at = (headers: BaseUrlRequest['headers']) =>
    baseUrl(request({ host: 'docs.test', ...headers }), config);
  for (const name of ['x-forwarded-scheme', 'x-forwarded-protocol', 'x-scheme', 'x-url-scheme']) {
    expect(at({ [name]: 'https, http' }), name).toBe('https://docs.test');
    expect(at({ [name]: 'gopher' }), name).toBe('http://docs.test');
    expect(at({ [name]: 'https', 'x-forwarded-proto': 'http' }), name).toBe('http://docs.test');
    expect(at({ [name]: 'http', 'x-forwarded-ssl': 'on' }), name).toBe('https://docs.test');
    expect(at({ [name]: 'http', forwarded: 'proto=https;host=a.test' }), name).toBe('https://a.test');
  }
  expect(at({ 'front-end-https': 'On' })).toBe('https://docs.test');
  expect(at({ 'front-end-https': 'off' })).toBe('http://docs.test');
  const others = { host: 'docs.test', 'x-forwarded-scheme': 'https', 'front-end-https': 'on' };
  expect(baseUrl(request(others, '203.0.113.9'), config)).toBe('http://docs.test');
});

test('[BU8] an international host name is given in its ASCII form, in whichever way it is written', () => {
  const sent = (name: string) => Buffer.from(name).toString('latin1');
  expect(baseUrl(request({ host: sent('büro.test:8080') }), config)).toBe('http://xn--bro-hoa.test:8080');
  expect(baseUrl(request({ host: 'xn--bro-hoa.test' }), config)).toBe('http://xn--bro-hoa.test');
  const forwarded = { host: 'inside', 'x-forwarded-host': sent('文書.test/ds') };
  expect(baseUrl(request(forwarded), config)).toBe('http://xn--7dvz5a.test/ds');
  for (const host of ['büro@a.test', 'büro.test/x', 'bü ro.test', 'büro.test:x', 'büro?'])
    expect(baseUrl(request({ host: sent(host) }), config), host).toBe('http://localhost');
  expect(baseUrl(request({ host: '\u00ff\u00fe' }), config)).toBe('http://localhost');
});

test('[BU3] forwarding headers of anybody else are ignored', () => {
  const headers = { host: 'docs.test', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test' };
  expect(baseUrl(request({ ...headers, 'x-forwarded-prefix': '/x' }, '203.0.113.9'), config)).toBe(
    'http://docs.test',
  );
});

test('[BU4] PUBLIC_URL rules', () => {
  const fixed = loadConfig({ PUBLIC_URL: 'https://docs.test/quire/' });
  expect(baseUrl(request({ host: 'evil.test', 'x-forwarded-host': 'evil.test' }), fixed)).toBe(
    'https://docs.test/quire',
  );
});

test('[BU5] a value that is no host or path never enters a link', () => {
  const hosts = ['a.test?x', 'user@a.test', 'a.test"', 'a test', '<b>', 'a.test:port', '', '..', '[::1'];
  for (const host of hosts) {
    expect(baseUrl(request({ host }), config), host).toBe('http://localhost');
    expect(baseUrl(request({ host: 'good.test', 'x-forwarded-host': host }), config)).toBe(
      'http://good.test',
    );
  }
  expect(baseUrl(request({ host: 'a.test/x' }), config)).toBe('http://localhost');
  for (const path of ['/../x', '//evil.test', '/a?b', '/@x', '/a b']) {
    const headers = { host: 'good.test', 'x-forwarded-host': `a.test${path}` };
    expect(baseUrl(request(headers), config), path).toBe('http://good.test');
  }
  for (const prefix of ['//evil.test', '/a/../b', 'a:b', '/a?b', '/a#b', '/"', '/a b', '/..']) {
    expect(baseUrl(request({ host: 'a.test', 'x-forwarded-prefix': prefix }), config), prefix).toBe(
      'http://a.test',
    );
  }
});

test('[BU5] whatever the headers are, the result is an http address with neither credentials nor query', () => {
  const names = [
    'host',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-prefix',
    'cloudfront-forwarded-proto',
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (headers) => {
      const result = baseUrl(request(headers), config);
      expect(result).toMatch(/^https?:\/\/[A-Za-z0-9.:_[\]-]+(\/[A-Za-z0-9._~-]+)*$/);
      expect(result).not.toContain('..');
    }),
  );
});
