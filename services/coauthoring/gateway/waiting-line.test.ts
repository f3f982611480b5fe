import { expect, test } from 'vitest';
import { type Waiting, WaitingLine } from './waiting-line.ts';

interface Named extends Waiting {
  name: string;
}

/** A line with people whose names say it all: tenant, `r` for those who return, when they came and from which network. */
function lineOf(...names: string[]) {
  const line = new WaitingLine<Named>();
  const items = names.map((name) => {
    const [since, network = ''] = name.slice(2).split('@');
    return { ...{ name, tenant: name[0]!, network }, isReturning: name[1] === 'r', sinceMs: Number(since) };
  });
  for (const item of items) line.add(item);
  const taken = (end: 'newest' | 'oldest') => {
    const order: string[] = [];
    for (let next = line.take(end); next; next = line.take(end)) order.push(next.name);
    return order.join(' ');
  };
  return { line, items, taken };
}

const people = ['an1', 'an2', 'ar3', 'ar4', 'an5', 'bn6', 'bn7'];

test('[NC3] tenants take turns, and of each tenant those who return go first', () => {
  expect(lineOf(...people).taken('oldest')).toBe('ar3 bn6 ar4 bn7 an1 an2 an5');
  expect(lineOf(...people).taken('newest')).toBe('ar4 bn7 ar3 bn6 an5 an2 an1');
});

test('[NC3] a tenant with one person waits for one of another who has a thousand', () => {
  const thousand = Array.from({ length: 1_000 }, (_, at) => `an${at}`);
  const { line } = lineOf(...thousand, 'bn2000');
  expect([line.take('oldest'), line.take('oldest')].map((one) => one!.name)).toEqual(['an0', 'bn2000']);
});

test('[NC3] within a tenant networks take turns, and those who return leave every third place to others', () => {
  expect(lineOf('an1@x', 'an2@x', 'an3@x', 'an4@y', 'an5@z').taken('oldest')).toBe(
    'an1@x an4@y an5@z an2@x an3@x',
  );
  const flood = Array.from({ length: 1_000 }, (_, at) => `ar${at}@flood`);
  const { line } = lineOf(...flood, 'ar2000@x', 'an2001@x', 'an2002@y');
  const taken = Array.from({ length: 6 }, () => line.take('newest')!.name);
  expect(taken).toEqual(['ar999@flood', 'ar2000@x', 'an2001@x', 'ar998@flood', 'ar997@flood', 'an2002@y']);
});

test('[NC2] where too many wait, the network with the most loses somebody', () => {
  const { line } = lineOf('an1@x', 'an2@y', 'an3@y');
  expect(line.takeOfLargest()!.name).toBe('an2@y');
});

test('[NC3] where too many wait, the tenant with the most loses somebody, the oldest of those who are more', () => {
  const { line } = lineOf(...people, 'cn8');
  const lost = Array.from({ length: 8 }, () => line.takeOfLargest()!.name);
  expect(lost.slice(3).toSorted()).toEqual(['an5', 'ar4', 'bn6', 'bn7', 'cn8']);
  expect(lost.slice(0, 3)).toEqual(['an1', 'an2', 'ar3']);
  expect(line.takeOfLargest()).toBeUndefined();
});

test('[NC2] those who came by some time are taken out, and who has gone is not taken', () => {
  const { line, items, taken } = lineOf(...people);
  expect(line.remove(items[4]!)).toBe(true);
  expect(line.remove(items[4]!)).toBe(false);
  expect(
    line
      .takeSince(3)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['an1', 'an2', 'ar3']);
  expect(line.size).toBe(3);
  expect(taken('oldest')).toBe('ar4 bn6 bn7');
  expect(line.size).toBe(0);
});
