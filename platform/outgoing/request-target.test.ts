import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestTarget } from './request-target.ts';

const targetOf = (address: string): string => requestTarget(address, new URL(address));

test('[OA17] path and query of an address are asked for as they are written', () => {
  const targets = [
    '/',
    '/cb?doc=42&expires=4102444800&signature=0a9f',
    "/cb?name=o'neil",
    '/cb?a=%7e%2F%2f+b%20c',
    '/cb?',
    '/cb?&&a==b&',
    '/a//b///',
    '/a.%2e/..b',
    '/a;v=1/b:c@d?x[]=1&x[0]=(2)*!$,',
    '/cb?to=https://h/../x',
    '/%zz?%',
  ];
  for (const target of targets) expect(targetOf(`http://Host.test:8080${target}`)).toBe(target);
  expect(targetOf('HTTPS://host.test?x')).toBe('/?x');
  expect(targetOf('http://host.test')).toBe('/');
  expect(targetOf("http://host.test/a?b='#c?d")).toBe("/a?b='");
});

test('[OA17] the characters alone that may not be in an address are written as URL does, and dots in a path are resolved', () => {
  const cases: [string, string][] = [
    ['http://host.test/Büro d"?q=é|\'', "/B%C3%BCro%20d%22?q=%C3%A9|'"],
    [
      "http://host.test/o'n/ü?X-Amz-Signature=0a9f&f='b c'&t=%7e%2F&",
      "/o'n/%C3%BC?X-Amz-Signature=0a9f&f='b%20c'&t=%7e%2F&",
    ],
    ['http://host.test/a\r\nX-Y: z', '/aX-Y:%20z'],
    ['http://host.test\\a', '/a'],
    ['http:///host.test/a', '/a'],
    ["http:host.test/a?'", "/a?'"],
    [' http://host.test/a?b ', '/a?b'],
    ['http://host.test/a?b #c', '/a?b%20'],
    ["http://host.test/a/../b?c='", "/b?c='"],
    ['http://host.test/a/.', '/a/'],
    ['http://host.test/a/%2E./b', '/b'],
    ['http://host.test/a?😀=\ud800', '/a?%F0%9F%98%80=%EF%BF%BD'],
  ];
  for (const [address, target] of cases) expect(targetOf(address), address).toBe(target);
});

test('[OA17] so it is behind a redirect, which may leave out what it has in common with where it was', () => {
  const from = "http://host.test/in/here?a='";
  const cases: [string, string][] = [
    ["/out?sig='x'&", "/out?sig='x'&"],
    ["there?sig='x'", "/in/there?sig='x'"],
    ["../there?sig='x'#'", "/there?sig='x'"],
    ["?sig='x'", "/in/here?sig='x'"],
    ["//other.test/out?sig='x'", "/out?sig='x'"],
    ['/\\other.test/out', '/out'],
    ['/\t/other.test/out', '/out'],
  ];
  for (const [place, target] of cases) expect(requestTarget(place, new URL(place, from)), place).toBe(target);
});

test('[OA17] it is the address that was checked, whatever is in it', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '\\',
      '..',
      '.',
      '%2e',
      '?',
      '#',
      "'",
      ' ',
      '\t',
      '\r\n',
      '%',
      '%zz',
      'ü',
      '|',
      '{',
      '"',
      ':',
      '@',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.constantFrom('http://host.test', 'http://host.test/', '', '/'),
      (pieces, start) => {
        const given = start + pieces.join('');
        if (!URL.canParse(given, 'http://host.test/in/here')) return;
        const url = new URL(given, 'http://host.test/in/here');
        if (url.protocol !== 'http:') return;
        const target = requestTarget(given, url);
        expect(target).toMatch(/^\/[!-~]*$/);
        const asked = new URL(`http://asked.test${target}`);
        expect([asked.pathname, asked.search]).toEqual([url.pathname, url.search]);
      },
    ),
  );
});
