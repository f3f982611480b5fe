import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { askForMetrics, collectProcess } from './process.ts';
import { SummedMetrics } from './summed-metrics.ts';

/** A process that answers with its metrics, or is too busy to. */
class Child extends EventEmitter {
  connected = true;
  isBusy = false;
  readonly #registry = new Registry();
  readonly jobs = new Counter({ name: 'jobs_total', help: 'h', registers: [this.#registry] });
  readonly times = new Histogram({
    name: 'job_seconds',
    help: 'h',
    buckets: [1],
    registers: [this.#registry],
  });
  readonly active = new Gauge({ name: 'active', help: 'h', registers: [this.#registry] });

  send(_message: unknown, done: (error: Error | null) => void): void {
    if (this.isBusy) done(new Error('It does not listen'));
    else {
      // As another process would get it.
      const sent = this.#registry.getMetricsAsJSON().then((metrics) => structuredClone({ metrics }));
      void sent.then((message) => this.emit('message', message));
    }
  }

  work(jobs: number): void {
    this.jobs.inc(jobs);
    for (let job = 0; job < jobs; job += 1) this.times.observe(0.5);
  }
}

const seriesIn = (page: string, series: string): number =>
  Number(new RegExp(`^${series} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);

function family() {
  const children = new Set<Child>();
  const metrics = new SummedMetrics(() => [...children] as unknown as ChildProcess[], askForMetrics);
  return { children, metrics };
}

test('[OB29] a converter that is replaced leaves what it has counted in the sum, and its gauges end with it', async () => {
  const { children, metrics } = family();
  expect(await metrics.page()).toBe('');
  const [first, second, third] = [new Child(), new Child(), new Child()];
  children.add(first).add(second);
  first.work(5);
  first.active.set(2);
  second.work(3);
  second.active.set(1);
  const before = await metrics.page();
  expect(seriesIn(before, 'jobs_total')).toBe(8);
  expect(seriesIn(before, 'active')).toBe(3);

  children.delete(first);
  children.add(third);
  third.work(1);
  const after = await metrics.page();
  expect(seriesIn(after, 'jobs_total')).toBe(9);
  expect(seriesIn(after, 'job_seconds_count')).toBe(9);
  expect(seriesIn(after, 'job_seconds_bucket\\{le="1"\\}')).toBe(9);
  expect(seriesIn(after, 'active')).toBe(1);

  children.clear();
  expect(seriesIn(await metrics.page(), 'jobs_total')).toBe(9);
});

test('[OB29] a converter that is too busy to answer counts with what it said last', async () => {
  const { children, metrics } = family();
  const [busy, other] = [new Child(), new Child()];
  children.add(busy).add(other);
  busy.work(5);
  other.work(1);
  await metrics.page();
  busy.isBusy = true;
  other.work(1);
  expect(seriesIn(await metrics.page(), 'jobs_total')).toBe(7);
});

test('[OB29] whatever becomes of converters, the sum never falls and lacks nothing that was seen', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('start' as const) }),
    fc.record({ kind: fc.constantFrom('end' as const, 'busy' as const, 'free' as const), which: fc.nat(5) }),
    fc.record({ kind: fc.constant('work' as const), which: fc.nat(5), jobs: fc.integer({ min: 1, max: 9 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { children, metrics } = family();
      const seen = new Map<Child, number>();
      const done = new Map<Child, number>();
      let before = 0;
      for (const one of steps) {
        const child = 'which' in one ? [...children][one.which] : undefined;
        if (one.kind === 'start') children.add(new Child());
        else if (!child) continue;
        else if (one.kind === 'end') children.delete(child);
        else if (one.kind === 'work') {
          child.work(one.jobs);
          done.set(child, (done.get(child) ?? 0) + one.jobs);
        } else child.isBusy = one.kind === 'busy';
        const page = await metrics.page();
        for (const living of children) if (!living.isBusy) seen.set(living, done.get(living) ?? 0);
        const sum = page === '' ? 0 : seriesIn(page, 'jobs_total');
        expect(sum).toBe([...seen.values()].reduce((all, jobs) => all + jobs, 0));
        expect(sum).toBeGreaterThanOrEqual(before);
        before = sum;
      }
    }),
    { numRuns: 50 },
  );
});

test('[ME9] descriptors are counted, and nothing goes through all connections one by one', async () => {
  const registry = new Registry();
  collectProcess(registry, 'quire_');
  const before = seriesIn(await registry.metrics(), 'quire_process_open_fds');
  const opened = Array.from({ length: 40 }, () => openSync('/dev/null', 'r'));
  const page = await registry.metrics();
  for (const descriptor of opened) closeSync(descriptor);
  // The test's own runner opens and closes a few meanwhile.
  expect(Math.abs(seriesIn(page, 'quire_process_open_fds') - before - 40)).toBeLessThan(10);
  expect(page).not.toContain('nodejs_active');
});

test('[LD34] what the last collection of the whole heap has left is told', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const registry = new Registry();
  collectProcess(registry, 'quire_');
  const liveMb = async () => seriesIn(await registry.metrics(), 'quire_nodejs_heap_live_bytes') / 2 ** 20;
  collect();
  const before = await liveMb();
  const kept = Array.from({ length: 40_000 }, () => new Array<number>(128).fill(1.5));
  collect();
  // The observer of collections is told after them.
  await eventually(liveMb, (mb) => mb - before > 30);
  kept.length = 0;
  collect();
  await eventually(liveMb, (mb) => mb - before < 10);
});
