import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Frame, Peer } from '../../platform/ports/peer.ts';
import { Departures } from './departures.ts';
import type { Member } from './document/member.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Three documents with three people each, who came in turns, and somebody who is in none. */
function node(fields: Partial<Member> = {}) {
  const deeds: string[] = [];
  const peerOf = (id: string) =>
    ({
      id,
      send: ({ json }: Frame) => deeds.push(`${id} told ${json}`),
      interrupt: () => deeds.push(`${id} ended`),
    }) as unknown as Peer;
  const documents = ['a', 'b', 'c'].map((key) =>
    [1, 2, 3].map(
      (number) => ({ peer: peerOf(`${key}${number}`), moves: true, state: 'active', ...fields }) as Member,
    ),
  );
  const connections = [
    peerOf('stranger'),
    ...[0, 1, 2].flatMap((at) => documents.map((members) => members[at]!.peer)),
  ];
  return { departures: new Departures(() => documents, connections), deeds };
}

const told = (...ids: string[]) => ids.map((id) => `${id} told {"type":"quireMove"}`);
const ended = (...ids: string[]) => ids.map((id) => `${id} ended`);

test('[SU68] the people of a document are let go one after the other, each once, and who is in none at the end', () => {
  const { departures, deeds } = node();
  departures.letGo(4);
  expect(deeds.splice(0)).toEqual(told('a1', 'a2', 'a3', 'b1'));
  departures.letGo(4);
  expect(deeds.splice(0)).toEqual(told('b2', 'b3', 'c1', 'c2'));
  departures.letGo(4);
  expect(deeds.splice(0)).toEqual([...told('c3'), ...ended('stranger')]);
  departures.letGo(4);
  expect(deeds).toEqual([]);
});

test('[SU68] who was told and stays is sent away', async () => {
  const { departures, deeds } = node();
  departures.letGo(2);
  deeds.splice(0);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(deeds).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(deeds).toEqual(ended('a1', 'a2'));
});

test.each([{ moves: false }, { state: 'joining' as const }, { state: 'closed' as const }])(
  '[SU68] who does not go when told to, or is not in yet, is sent away at once (%o)',
  (fields) => {
    const { departures, deeds } = node(fields);
    departures.letGo(2);
    expect(deeds).toEqual(ended('a1', 'a2'));
  },
);
