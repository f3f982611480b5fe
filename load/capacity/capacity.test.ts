import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noCosts, syntheticResult } from '../../test/support/load-results.ts';
import { capacityFor, mixEvery, mixOfLargest, predict } from './capacity.ts';
import { CostModel } from './cost-model.ts';
import { nonNegativeFit } from './least-squares.ts';

describe('least squares without negative costs', () => {
  it('[LR30] finds the coefficients of any costs, whatever the scale of their columns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1_000, noNaN: true })), {
          minLength: 2,
          maxLength: 5,
        }),
        fc.integer({ min: 1, max: 1_000 }),
        (costs, seed) => {
          const rows = Array.from({ length: 30 }, (_, row) =>
            costs.map((_, column) => 10 ** column * (1 + Math.sin(seed * (row + 1) * (column + 1) ** 1.5))),
          );
          const values = rows.map((row) => row.reduce((sum, amount, at) => sum + amount * costs[at]!, 0));
          const { coefficients } = nonNegativeFit(rows, values);
          const most = Math.max(...values, 1);
          // As exact as the largest value allows for the column.
          for (const [at, cost] of costs.entries()) {
            expect(Math.abs(coefficients[at]! - cost) * 10 ** at).toBeLessThan(most * 1e-4);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('[LR30] gives a cost that would be negative as zero, and of two equal columns one', () => {
    expect(
      nonNegativeFit(
        [
          [1, 0],
          [1, 1],
          [1, 2],
        ],
        [5, 4, 3],
      ).coefficients,
    ).toEqual([expect.closeTo(4), 0]);
    const { coefficients } = nonNegativeFit(
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
      [2, 4, 6],
    );
    expect(coefficients).toEqual([expect.closeTo(2), 0]);
  });
});

const costs = {
  service: {
    idleCores: 0.02,
    connectionMs: 0.02,
    saveMs: 0.15,
    messageMs: 0.06,
    baseMb: 110,
    connectionKb: 11,
  },
  database: { idleCores: 0.01, saveMs: 0.09, baseMb: 70 },
  redis: { idleCores: 0.003, saveMs: 0.01, messageMs: 0.02, baseMb: 12, connectionKb: 0.5 },
};
/** The mix changes within a run, as in one that begins with people who only come. */
const run = (people: number, nodes: number, noise = 0) =>
  syntheticResult({
    ...{ costs, nodes, noise },
    stretches: [
      { forS: 100, people, savesPerS: 0, messagesPerS: 0 },
      { forS: 100, people, savesPerS: people / 100, messagesPerS: people / 80 },
      { forS: 100, people, savesPerS: people / 150, messagesPerS: people / 20 },
    ],
  });
const costOf = (
  model: CostModel,
  part: 'service' | 'database' | 'redis',
  title: string,
  of: 'cpu' | 'memory' = 'cpu',
) => model.costsOf(part)[of].find((one) => one.title === title)!.value;

describe('costs of runs', () => {
  it('[LR31] are those with which the runs were made', () => {
    const model = new CostModel([run(10_000, 1), run(20_000, 2), run(40_000, 4)]);
    for (const part of ['service', 'database', 'redis'] as const) {
      const known = { ...noCosts, ...costs[part] };
      expect(costOf(model, part, 'a process')).toBeCloseTo(known.idleCores, 4);
      expect(costOf(model, part, 'a connection')).toBeCloseTo(known.connectionMs * 1_000, 2);
      expect(costOf(model, part, 'a save')).toBeCloseTo(known.saveMs, 3);
      expect(costOf(model, part, 'a message')).toBeCloseTo(known.messageMs, 3);
      expect(costOf(model, part, 'a process', 'memory')).toBeCloseTo(known.baseMb, 0);
      expect(costOf(model, part, 'a connection', 'memory')).toBeCloseTo(known.connectionKb, 1);
    }
    expect(costOf(model, 'service', 'an action that goes to another node, more')).toBeCloseTo(0, 3);
  });

  it('[LR32] predict a run that was not fitted, also from runs with noise, and not one that cost more', () => {
    const model = new CostModel([run(10_000, 1, 0.3), run(20_000, 2, 0.3), run(40_000, 4, 0.3)]);
    for (const { cores, memoryMb } of predict(model, run(80_000, 8, 0.3))) {
      expect(cores.predicted / cores.measured).toBeCloseTo(1, 1);
      expect(memoryMb.predicted / memoryMb.measured).toBeCloseTo(1, 1);
    }
    const dearer = syntheticResult({
      ...{ costs, slower: 1.5 },
      stretches: [{ forS: 100, people: 80_000, savesPerS: 800, messagesPerS: 1_000 }],
    });
    const service = predict(model, dearer).find(({ part }) => part === 'service')!;
    expect(service.cores.predicted / service.cores.measured).toBeLessThan(0.75);
  });

  it('[LR33] say what a million people need, and where Redis and PostgreSQL end', () => {
    const runs = [run(10_000, 1), run(20_000, 2), run(40_000, 4)];
    const mix = mixEvery(mixOfLargest(runs), 120);
    const machines = { cores: 16, memoryGb: 64, busyShare: 0.5, connectionsEach: 20_000 };
    const { needs, limits, actionEveryS } = capacityFor(new CostModel(runs), 1_000_000, mix, machines);
    expect(actionEveryS).toBeCloseTo(120);
    const need = (wanted: string) => needs.find(({ part }) => part === wanted)!;
    const actionsPerS = 1_000_000 / 120;
    const saves = (actionsPerS * mix['saves.rate']) / (mix['saves.rate'] + mix['chats.rate']);
    const messages = actionsPerS - saves;
    expect(need('database').cores).toBeCloseTo(0.01 + 0.09e-3 * saves, 2);
    expect(need('redis').cores).toBeCloseTo(0.003 + 1e-5 * saves + 2e-5 * messages, 2);
    const { processes, memoryGb, cores, machines: count } = need('service');
    expect(processes).toBeGreaterThanOrEqual(50);
    expect(cores).toBeCloseTo(0.02 * processes + 20 + 0.15e-3 * saves + 0.06e-3 * messages, 1);
    expect(memoryGb).toBeCloseTo(11 + 0.11 * processes, 1);
    expect(count).toBe(Math.ceil(cores / 8));
    expect(limits).toEqual([]);
    const more = capacityFor(new CostModel(runs), 4_000_000, mix, machines);
    const redisMs = (saves * 0.01 + messages * 0.02) / 1_000_000;
    expect(more.limits.map(({ title, people }) => [title.split(' ')[0], people])).toEqual([
      ['PostgreSQL', expect.closeTo(1_000_000, -4)],
      ['Redis', expect.closeTo((0.5 - 0.003) / (redisMs / 1_000), -4.5)],
    ]);
  });
});
