import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Recovery } from './recovery.ts';

const graceMs = 10_000;
const sweepEveryMs = 30_000;
const keys = Array.from({ length: 100 }, (_, number) => `document-${number}`);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The recovery of a node; `looked` are the documents about which it asked the others since it was read last. */
async function recoveryOf(
  nodeId: string,
  living: string[],
  isEditedHere = (_key: string) => false,
  listed: () => Promise<void> = async () => undefined,
  state = 'open',
  present: () => { view: boolean; nodeId: string }[] = () => [],
) {
  const asked: string[] = [];
  const closed: string[] = [];
  const deps = {
    closing: {
      unfinished: async () => {
        await listed();
        return state === 'open' ? [] : keys.map((key) => ({ key, state, dueInMs: 0 }));
      },
      openKeys: async () => (state === 'open' ? keys : []),
      lastOpening: async () => null,
    },
    leaving: {
      lastEditorLeft: async (key: string) => {
        closed.push(key);
      },
      editorIsBack: async () => undefined,
      assemble: ({ key }: { key: string }) => asked.push(key),
      assembleAfter: (key: string) => asked.push(key),
    },
    registry: {
      isEditedHere,
      participantsIn: async (key: string) => {
        asked.push(key);
        return present();
      },
      use: (_key: string, work: (actor: object) => Promise<unknown>) =>
        work({ run: (task: () => Promise<unknown>) => task(), forgetDead: async () => undefined }),
    },
    leases: { nodeId, living: async () => new Set(living), watch: () => () => undefined },
    log: pino({ level: 'silent' }),
  };
  const recovery = new Recovery(deps as unknown as ConstructorParameters<typeof Recovery>[0]);
  await recovery.start(graceMs);
  return { recovery, looked: () => new Set(asked.splice(0)), closed: () => closed.splice(0) };
}

test('[RD15] of several nodes each sees to its share of the documents that nobody edits, and at last to all', async () => {
  const living = ['b', 'a', 'c'];
  const nodes = await Promise.all(living.map((nodeId) => recoveryOf(nodeId, living)));
  await vi.advanceTimersByTimeAsync(graceMs);
  const shares = nodes.map(({ looked }) => [...looked()]);
  expect(shares.flat().sort()).toEqual([...keys].sort());
  for (const share of shares) expect(share.length).toBeGreaterThan(15);
  // They were known to be open at the start, and their editors have not come back.
  expect(nodes.map(({ closed }) => closed().sort())).toEqual(shares.map((share) => share.sort()));
  await vi.advanceTimersByTimeAsync(7 * sweepEveryMs);
  for (const [at, { looked }] of nodes.entries()) expect([...looked()].sort()).toEqual(shares[at]);
  for (const { closed } of nodes) closed();
  await vi.advanceTimersByTimeAsync(2 * sweepEveryMs);
  for (const { looked, closed } of nodes) {
    expect(looked().size).toBe(keys.length);
    expect(new Set(closed()).size).toBe(keys.length);
  }
  for (const { recovery } of nodes) recovery.stop();
});

test.each(['closing', 'assembling'])(
  '[NC18] of several nodes each starts the assemblies of its share of what is %s',
  async (state) => {
    const living = ['b', 'a', 'c'];
    const nodes = await Promise.all(
      living.map((nodeId) => recoveryOf(nodeId, living, undefined, undefined, state)),
    );
    for (const { looked } of nodes) looked();
    await vi.advanceTimersByTimeAsync(graceMs);
    expect(nodes.flatMap(({ looked }) => [...looked()]).sort()).toEqual([...keys].sort());
    await vi.advanceTimersByTimeAsync(9 * sweepEveryMs);
    for (const { looked } of nodes) expect(looked().size).toBe(keys.length);
    for (const { recovery } of nodes) recovery.stop();
  },
);

test('[RD15] a node that no other one knows sees to all, and nobody is asked about a document that is edited here', async () => {
  const { recovery, looked } = await recoveryOf('new', ['a'], (key) => key.endsWith('7'));
  await vi.advanceTimersByTimeAsync(graceMs);
  const found = looked();
  expect(found.size).toBe(90);
  expect(found.has('document-7')).toBe(false);
  recovery.stop();
});

test('[RD15] about what another node edits is asked now and then while that lives, and at once when it has died', async () => {
  const living = ['a', 'b'];
  const present = () => [{ view: false, nodeId: 'b' }];
  const { recovery, looked, closed } = await recoveryOf('new', living, undefined, undefined, 'open', present);
  await vi.advanceTimersByTimeAsync(graceMs);
  expect(looked().size).toBe(keys.length);
  await vi.advanceTimersByTimeAsync(4 * sweepEveryMs);
  expect(looked().size).toBe(0);
  await vi.advanceTimersByTimeAsync(6 * sweepEveryMs);
  expect(looked().size).toBe(keys.length);
  expect(closed()).toEqual([]);
  living.splice(1);
  await vi.advanceTimersByTimeAsync(2 * sweepEveryMs);
  expect(closed().sort()).toEqual([...keys].sort());
  recovery.stop();
});

test('[RD15] a node that is slow looks once at a time, and once more for all that it was asked for meanwhile', async () => {
  let begun = 0;
  let release: () => void = () => undefined;
  const slow = () => {
    begun += 1;
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  const opening = recoveryOf('a', ['a'], undefined, slow);
  await vi.advanceTimersByTimeAsync(0);
  release();
  const { recovery } = await opening;
  begun = 0;
  await vi.advanceTimersByTimeAsync(graceMs + 5 * sweepEveryMs);
  expect(begun).toBe(1);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toBe(2);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toBe(2);
  recovery.stop();
});
