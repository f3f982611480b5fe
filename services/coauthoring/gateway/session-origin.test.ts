import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { originOf, sidOf } from './session-origin.ts';

const at = (url: string) => ({ url }) as IncomingMessage;

test('[GW28] requests of one session have one origin, whatever differs between requests', () => {
  const begun = originOf(at('/7.1-q/doc/k/c/?quireProof=p&shardkey=k&EIO=4&transport=polling&t=abc'));
  for (const query of [
    'quireProof=p&shardkey=k&EIO=4&transport=polling&t=abd&sid=s',
    'EIO=4&shardkey=k&quireProof=p&transport=websocket&sid=s',
    'quireProof=p&shardkey=k&EIO=4&transport=polling&t=1&b64=1&sid=s',
  ])
    expect(originOf(at(`/7.1-q/doc/k/c/?${query}`))).toBe(begun);
  for (const other of [
    '/7.1-q/doc/other/c/?quireProof=p&shardkey=k&EIO=4&transport=polling&sid=s',
    '/7.1-q/doc/k/c/?quireProof=q&shardkey=k&EIO=4&transport=polling&sid=s',
    '/7.1-q/doc/k/c/?quireProof=p&quireProof=p&shardkey=k&EIO=4&transport=polling&sid=s',
    '/7.1-q/doc/k/c/?shardkey=k&EIO=4&transport=polling&sid=s',
  ])
    expect(originOf(at(other))).not.toBe(begun);
});

test('[GW28] the session that a request names is told, and one that names none begins one', () => {
  expect(sidOf(at('/doc/k/c/?EIO=4&sid=w1-abc&t=1'))).toBe('w1-abc');
  expect(sidOf(at('/doc/k/c/?EIO=4&transport=polling'))).toBeNull();
});
