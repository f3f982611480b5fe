import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoadResult, parseResult } from '../../load/result.ts';
import { readScenario } from '../../load/scenario.ts';
import { Scene, sceneSecret } from '../support/scene.ts';

const program = fileURLToPath(new URL('../../bin/quire.js', import.meta.url));

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

describe('quire load', () => {
  let scene: Scene;
  let directory: string;
  beforeAll(async () => {
    scene = await Scene.open({ tokens: true, nodes: 1, environment: { CONVERTER_PROCESSES: '1' } });
    directory = await mkdtemp(path.join(os.tmpdir(), 'quire-load-'));
  });
  afterAll(async () => {
    await scene?.close();
    if (directory) await rm(directory, { recursive: true });
  });

  /** In a group of processes of its own. */
  const start = (args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } => {
    const child = spawn(process.execPath, [program, 'load', ...args], {
      detached: true,
      env: { ...process.env, JWT_SECRET: sceneSecret, QUIRE_TEST_NODES: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)]).then(
      ([[code], output, errors]) => ({ code: code as number | null, output, errors }),
    );
    return { child, ended };
  };

  const run = async (
    scenario: string,
    args: readonly string[],
  ): Promise<Ended & { result: LoadResult; count: (name: string) => number }> => {
    const file = path.join(directory, `${path.basename(scenario, '.json')}-${Math.random()}.json`);
    const { ended } = start([scenario, '--url', scene.quire.address, '--result', file, ...args]);
    const end = await ended;
    const result = parseResult(
      await readFile(file, 'utf8').catch(() => Promise.reject(new Error(`No result: ${end.errors}`))),
    );
    const count = (name: string) => result.counters.find((counter) => counter.name === name)?.value ?? 0;
    return { ...end, result, count };
  };

  const expectNothingLost = ({ result, count, errors }: Awaited<ReturnType<typeof run>>) => {
    expect(count('errors'), errors).toBe(0);
    for (const { name, different, differences } of result.checks) {
      expect({ name, different, differences }).toEqual({ name, different: 0, differences: [] });
    }
    // A machine that is busy with other things ends the growth of polling early.
    const people = count('bend') > 0 ? 1 : Number(result.parameters.people);
    expect(count('logins')).toBeGreaterThanOrEqual(people);
    expect(result.cut).toBeNull();
  };
  const compared = ({ result }: { result: LoadResult }, name: string) =>
    result.checks.find((check) => check.name === name)!.compared;

  // A run with few people waits more than it works, so several go on at once.
  it.concurrent('[LD15] the hour saves, closes and opens over every transport, and all that was acknowledged comes back', async () => {
    const runs = await Promise.all(
      ['websocket', 'plain', 'polling'].map((transport) =>
        run('hour', [
          ...['--scale', '0.0008', '--duration', '8s', '--transport', transport],
          ...['--processes', '2', '--changes-per-save', '5'],
        ]),
      ),
    );
    for (const ended of runs) {
      expectNothingLost(ended);
      expect(ended.count('saves')).toBeGreaterThan(0);
      expect(ended.count('changes')).toBe(5 * ended.count('saves'));
      expect(compared(ended, 'saves')).toBeGreaterThan(0);
      expect(compared(ended, 'texts')).toBeGreaterThan(0);
      expect(compared(ended, 'texts')).toBe(ended.count('files'));
      expect(ended.output).toContain('Save acknowledged, p99');
    }
  });

  it.concurrent.each([
    {
      names: 'growth and rooms',
      scenarios: [
        ['growth', '0.0005', 'cursors'],
        ['rooms', '0.002', 'received'],
      ],
    },
    {
      names: 'steady and polling',
      scenarios: [
        ['steady', '0.0003', 'chats'],
        ['polling', '0.005', 'chats'],
      ],
    },
    {
      names: 'sheets and office',
      scenarios: [
        ['sheets', '0.004', 'files'],
        ['office', '0.0003', 'cursors'],
      ],
    },
  ] as const)('[LD15] with $names nothing is lost', async ({ scenarios }) => {
    const runs = await Promise.all(
      scenarios.map(([scenario, scale]) => run(scenario, ['--scale', scale, '--duration', '8s'])),
    );
    for (const [at, ended] of runs.entries()) {
      const [scenario, , counter] = scenarios[at]!;
      expectNothingLost(ended);
      expect(ended.count(counter), scenario).toBeGreaterThan(0);
      expect(ended.result.timesS.length, scenario).toBeGreaterThan(3);
    }
  });

  it.concurrent('[LD15, LD28] with a storm nothing is lost, and it offers multiples of the best rate that it is given', async () => {
    const args = ['--scale', '0.01', '--duration', '20s', '--best-rate', '10'];
    const ended = await run('storm', args);
    expectNothingLost(ended);
    const { phases, thresholds, parameters } = ended.result;
    expect(phases.map(({ name }) => name)).not.toContain('best-8');
    expect(parameters.bestRatePerS).toBe(10);
    const wanted = thresholds.filter(({ title }) => title.startsWith('Goodput at')).map((one) => one.wanted);
    expect(wanted).toEqual([9, 9, 9]);
    const attempts = (name: string) => {
      const { counters, fromS, toS } = phases.find((phase) => phase.name === name)!;
      const counted = counters.filter((counter) => ['opened', 'refused'].includes(counter.name));
      return counted.reduce((sum, { value }) => sum + value, 0) / (toS - fromS);
    };
    expect(attempts('storm-10')).toBeGreaterThan(2 * attempts('storm-1.5'));
  });

  it.concurrent('[LD28] the best rate of log-ins is found, and offered', async () => {
    const scenario = await readScenario('storm');
    const [arrival, best, ...others] = scenario.phases;
    const phases = [
      ...[
        { ...arrival, forS: 1 },
        { ...best, forS: 3, visits: { atOnce: 1 } },
      ],
      { ...others.find(({ name }) => name === 'after'), forS: 3 },
    ];
    const thresholds = scenario.thresholds.filter(({ measure }) => measure.during === 'after');
    const file = path.join(directory, 'best.json');
    await writeFile(file, JSON.stringify({ ...scenario, phases, thresholds }));
    const ended = await run(file, ['--scale', '0.01']);
    expectNothingLost(ended);
    const found = ended.result.phases.find(({ name }) => name === 'best-8')!;
    const opened = found.counters.find(({ name }) => name === 'opened')!.value;
    expect(ended.count('best')).toBeCloseTo(opened / (found.toS - found.fromS));
    expect(opened).toBeGreaterThan(0);
    const goodput = ended.result.thresholds.find(({ title }) => title.startsWith('Goodput'))!;
    expect(goodput.wanted).toBeCloseTo(0.45 * ended.count('best'));
    expect(goodput.measured).toBeGreaterThan(0);
  });

  it.concurrent('[LD16] a threshold that is missed ends it with 1, and without any it ends with 0', async () => {
    const scenario = { ...(await readScenario('hour')), comparison: [] };
    const file = async (name: string, thresholds: object[]) => {
      const place = path.join(directory, name);
      await writeFile(place, JSON.stringify({ ...scenario, thresholds }));
      return place;
    };
    const missed = { title: 'Log-ins', unit: '', measure: { of: 'logins', figure: 'total' }, atMost: 0 };
    const quick = ['--scale', '0.0002', '--duration', '2s'];
    const [one, other] = await Promise.all([
      run(await file('kept.json', []), quick),
      run(await file('missed.json', [missed]), quick),
    ]);
    expect(one.code).toBe(0);
    expect(other.code).toBe(1);
    expect(other.output).toContain('MISSED');
  });

  it.concurrent('[LD16] what cannot be begins nothing, and says why', async () => {
    const refused = async (...args: string[]) => {
      const { code, errors } = await start(args).ended;
      expect(code).toBe(2);
      return errors;
    };
    const { address } = scene.quire;
    expect(await refused('hour', '--url', address, '--secret', 'not that of the server')).toMatch(
      /^secret_refused: /,
    );
    expect(await refused('hour', '--url', 'http://127.0.0.1:9')).toMatch(/^no_server: .*quire serve/);
    expect(await refused('hour', '--url', 'https://docs.example.com')).toContain('--yes');
    expect(await refused('nope', '--url', address)).toMatch(/^unknown_scenario: /);
    expect(await refused('hour', '--url', address, '--scale', 'much')).toContain('--scale');
    expect(await refused()).toContain('--list');
  });

  it.concurrent.each([
    ['Ctrl-C', 'SIGINT'],
    ['who ends its whole group of processes', 'SIGTERM'],
  ] as const)('[LD17] %s ends a run with the figures so far', async (_who, signal) => {
    const file = path.join(directory, `cut-by-${signal}.json`);
    const { child, ended } = start([
      ...['hour', '--url', scene.quire.address, '--scale', '0.001', '--duration', '100s', '--result', file],
    ]);
    let told = '';
    const onTold = (part: unknown) => {
      told += String(part);
      if (!/ [1-9]\d* in/.test(told)) return;
      child.stderr!.off('data', onTold);
      process.kill(-child.pid!, signal);
    };
    child.stderr!.on('data', onTold);
    const { code, output } = await ended;
    expect(code).toBe(130);
    expect(output).toContain('The run was cut');
    expect(parseResult(await readFile(file, 'utf8')).cut).not.toBeNull();
  });

  it.concurrent('[LD1] the scenarios are listed', async () => {
    const { code, output } = await start(['--list']).ended;
    expect(code).toBe(0);
    expect(output).toContain('hour: An hour of ten thousand');
  });
});
