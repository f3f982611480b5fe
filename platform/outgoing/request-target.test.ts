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

test('[OA17] what may not be in an address is written as URL does, and dots in a path are resolved', () => {
  const cases: [string, string][] = [
    ['http://host.test/Büro d"?q=é|\'', '/B%C3%BCro%20d%22?q=%C3%A9|%27'],
    ['http://host.test/a\r\nX-Y: z', '/aX-Y:%20z'],
    ['http://host.test\\a', '/a'],
    ['http:///host.test/a', '/a'],
    ["http:host.test/a?'", '/a?%27'],
    [' http://host.test/a ', '/a'],
    ['http://host.test/a/../b?c', '/b?c'],
    ['http://host.test/a/.', '/a/'],
    ['http://host.test/a/%2E./b', '/b'],
  ];
  for (const [address, target] of cases) expect(targetOf(address), address).toBe(target);
});
