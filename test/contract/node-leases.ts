import { describe, expect, test, vi } from 'vitest';
import type { NodeLeases } from '../../platform/ports/coordination.ts';
import { eventually } from '../support/eventually.ts';

/** Leases that can be given back, as by an orderly stop. */
export interface ClosableLeases extends NodeLeases {
  close(): Promise<void>;
}

/** What all leases do. `group` begins a new set of nodes; what it returns opens one more node of the set. */
export function describeNodeLeases(
  name: string,
  leaseMs: number,
  group: () => () => Promise<ClosableLeases>,
): void {
  describe(`node leases: ${name}`, () => {
    test('[RD3] every node knows the living ones, and is told of each death once', async () => {
      const join = group();
      const nodes = [await join(), await join(), await join()] as const;
      const ids = nodes.map(({ nodeId }) => nodeId);
      for (const node of nodes) expect([...(await node.living())].sort()).toEqual([...ids].sort());
      const died = vi.fn();
      const lapsed = vi.fn();
      nodes[0].watch({ died, lapsed });
      await nodes[2].close();
      await eventually(() => expect(died).toHaveBeenCalledWith(ids[2]));
      expect([...(await nodes[0].living())].sort()).toEqual(ids.slice(0, 2).sort());
      expect(died).toHaveBeenCalledTimes(1);
      expect(lapsed).not.toHaveBeenCalled();
      expect(nodes[0].isHeld()).toBe(true);
    });

    test('[RD4] a node that was still for longer than its lease knows it before it does anything else', async () => {
      const join = group();
      const [still, other] = [await join(), await join()];
      const lapsed = vi.fn();
      const died = vi.fn();
      still.watch({ died: () => undefined, lapsed });
      other.watch({ died, lapsed: () => undefined });
      const until = performance.now() + 2 * leaseMs;
      while (performance.now() < until);
      expect(still.isHeld()).toBe(false);
      expect(lapsed).toHaveBeenCalledTimes(1);
      await eventually(() => expect(still.isHeld()).toBe(true));
      expect(lapsed).toHaveBeenCalledTimes(1);
      expect(await still.living()).toContain(still.nodeId);
    });
  });
}
