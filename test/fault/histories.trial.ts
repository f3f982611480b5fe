import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FaultName, faultNames } from '../support/histories/faults.ts';
import { runHistory } from '../support/histories/run.ts';
import { hasRedis } from '../support/redis.ts';

/** `bench/faults.ts` runs the same for as long as one likes, with seeds of its own. */
const harmMs = 12_000;
const pace = 0.25;
/** Minutes of an outage are for long runs. */
const ofMany: readonly FaultName[] = faultNames.filter((name) => name !== 'worker' && name !== 'outage');
const needsMany: readonly FaultName[] = ['redis', 'cut-redis', 'isolate'];
const ofOne: readonly FaultName[] = ofMany.filter((name) => !needsMany.includes(name));

async function broken(seed: number, nodes: number, only: readonly FaultName[]) {
  const reportDirectory = path.join(os.tmpdir(), 'quire-histories');
  const { violations, counts, report } = await runHistory({
    seed,
    nodes,
    harmMs,
    pace,
    only,
    reportDirectory,
  });
  expect(counts.acknowledged).toBeGreaterThan(0);
  return {
    seed,
    report,
    violations: violations.map(({ invariant, key, what }) => `${invariant} ${key}: ${what}`),
  };
}

const nothing = (seed: number) => ({ seed, report: null, violations: [] });

describe.concurrent('histories of random clients under random faults', { timeout: 400_000 }, () => {
  it('[FH10] on one node, every fault there is breaks no invariant, seed 1', async () => {
    expect(await broken(1, 1, ofOne)).toEqual(nothing(1));
  });

  it.skipIf(!hasRedis)('[FH11] on two nodes with Redis, likewise, seed 2', async () => {
    expect(await broken(2, 2, ofMany)).toEqual(nothing(2));
  });
});
