import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { listsOf } from '../../test/support/lists-of.ts';
import { MemoryLeaseHub } from '../../test/support/memory-leases.ts';
import { CoordinationUnavailable } from '../ports/coordination.ts';
import { MemoryBusHub, MemorySharedValues } from './memory-coordination.ts';

import { SharedCoordination } from './shared-coordination.ts';

/** A bus that some nodes hear nothing on, though they listen. */
class StillHub extends MemoryBusHub {
  readonly still = new Set<string>();

  override deliver(from: string, to: string, arrive: () => void): void {
    if (!this.still.has(to)) super.deliver(from, to, arrive);
  }
}

/** Nodes that share cells, and how often each asked for one. */
class Nodes {
  readonly hub = new StillHub();
  readonly leases = new MemoryLeaseHub();
  readonly #cells = new MemorySharedValues();

  async add(nodeId: string) {
    const compareAndPut = vi.fn(this.#cells.compareAndPut.bind(this.#cells));
    const store = { compareAndPut, ...listsOf(this.#cells) };
    const leases = this.leases.leasesOf(nodeId);
    const coordination = await SharedCoordination.withOwnership(store, this.hub.busOf(nodeId), leases);
    const counter = { name: 'counter', empty: 0, isOwn: (value: number) => value < 100 };
    const add = (document: string, value: number) =>
      coordination.update(document, counter, (before) => [before + value, before + value]);
    return { coordination, add, asked: compareAndPut };
  }
}

describe('cells that a node keeps', () => {
  test('[CO6] a value that is one node’s own is kept by it: steps ask nobody, until another node makes one', async () => {
    const nodes = new Nodes();
    const [one, two] = [await nodes.add('one'), await nodes.add('two')];
    const document = randomUUID();
    for (let step = 1; step <= 20; step += 1) expect(await one.add(document, 1)).toBe(step);
    expect(one.asked).toHaveBeenCalledTimes(1);
    expect(await two.add(document, 1)).toBe(21);
    expect(await one.add(document, 1)).toBe(22);
    expect(await two.add(document, 100)).toBe(122);
    one.asked.mockClear();
    two.asked.mockClear();
    for (let step = 123; step <= 132; step += 1) expect(await one.add(document, 1)).toBe(step);
    expect(one.asked.mock.calls.length, 'it is not its own any more').toBeGreaterThanOrEqual(10);
  });

  test('[CO7] what a dead node kept is what the others last knew of it, and they go on', async () => {
    const nodes = new Nodes();
    const [one, two] = [await nodes.add('one'), await nodes.add('two')];
    const document = randomUUID();
    for (let step = 0; step < 5; step += 1) await one.add(document, 1);
    nodes.hub.still.add('one');
    nodes.leases.end('one');
    expect(await two.add(document, 1)).toBe(2);
    nodes.hub.still.delete('one');
    nodes.leases.renew('one');
    expect(await one.add(document, 1), 'it takes what others have made').toBe(3);
    expect(await two.add(document, 1)).toBe(4);
  });

  test('[CO8] a node that is still but lives is waited for, in vain in the end; it has its cells when it wakes', async () => {
    const nodes = new Nodes();
    const [one, two] = [await nodes.add('one'), await nodes.add('two')];
    const document = randomUUID();
    await one.add(document, 1);
    await one.add(document, 1);
    nodes.hub.still.add('one');
    await expect(two.add(document, 1)).rejects.toThrow(CoordinationUnavailable);
    expect(await one.add(document, 1)).toBe(3);
    nodes.hub.still.delete('one');
    expect(await two.add(document, 1)).toBe(4);
  });

  test('[CO9] a node that stops gives up what it keeps', async () => {
    const nodes = new Nodes();
    const [one, two] = [await nodes.add('one'), await nodes.add('two')];
    const document = randomUUID();
    await one.add(document, 1);
    await one.add(document, 1);
    await one.coordination.close();
    nodes.hub.still.add('one');
    expect(await two.add(document, 1)).toBe(3);
    await two.add(document, 200);
    expect(await one.add(document, 1)).toBe(204);
  });
});
