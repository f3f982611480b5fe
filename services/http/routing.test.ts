import { expect, test } from 'vitest';
import { routingOf, routingOfDocument, withRouting } from './routing.ts';

test('[RA4] shard key, WOPI source and session are read from a query in the spellings that are in use', () => {
  expect(routingOf('/doc/k/c/?EIO=4&shardkey=k&transport=websocket')).toEqual({ shardkey: 'k' });
  expect(routingOf('/doc/k/c/?shardKey=k')).toEqual({ shardkey: 'k' });
  expect(routingOf('/doc/k/c/?WOPISrc=https%3A%2F%2Fh%2Fa%3Fb%26c&usid=u1')).toEqual({
    WOPISrc: 'https://h/a?b&c',
    usid: 'u1',
  });
  for (const url of [
    '/doc/k/c/',
    '/doc/k/c/?EIO=4',
    '/?shardkey=',
    `/?usid=${'x'.repeat(5_000)}`,
    '/?usid=a%00',
  ]) {
    expect(routingOf(url)).toBeNull();
  }
});

test('[RA4] a document that was opened without one has its key as the routing, and an address keeps its own', () => {
  const address = (query: string, given: Parameters<typeof routingOfDocument>[1] = null) =>
    withRouting(`https://h/callback${query}`, routingOfDocument('key', given)).slice(
      'https://h/callback'.length,
    );
  expect(address('')).toBe('?shardkey=key');
  expect(address('?a=1')).toBe('?a=1&shardkey=key');
  expect(address('?sig=a%20b+c&x')).toBe('?sig=a%20b+c&x&shardkey=key');
  expect(address("?name=o'neil&#part")).toBe("?name=o'neil&shardkey=key");
  expect(address('?')).toBe('?shardkey=key');
  expect(address('?shardkey=mine')).toBe('?shardkey=mine');
  expect(address('', { WOPISrc: 'https://h/a?b&c', usid: 'u' })).toBe(
    '?WOPISrc=https%3A%2F%2Fh%2Fa%3Fb%26c&usid=u',
  );
});
