import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../platform/package-root.ts';
import { syntheticResult } from '../../test/support/load-results.ts';
import { readAssets } from './assets.ts';
import type { Chart } from './figures.ts';
import { memorySlopes } from './memory-slope.ts';
import { runReport, verdictOf } from './run-report.ts';

const assets = { script: 'draw()', styles: 'body{}' };
const run = {
  stretches: [{ forS: 40, people: 100, savesPerS: 50, messagesPerS: 20 }],
  costs: { service: { idleCores: 0.25, baseMb: 100 }, database: { idleCores: 0.125 } },
};

/** What the script of the page draws. */
const chartsIn = (page: string): Chart[] =>
  JSON.parse(/<script type="application\/json" id="charts">(.*?)<\/script>/s.exec(page)![1]!);

describe('the report of a run', () => {
  it('[LR10] has every threshold, check, latency, transaction, counter, process and setting, and the published figures', () => {
    const result = syntheticResult(run);
    const page = runReport(result, assets);
    const named = [
      ...[
        ...result.thresholds,
        ...result.checks,
        ...result.latencies,
        ...result.transactions,
        ...result.counters,
      ].map(({ title }) => title),
      ...result.processes.map(({ name }) => name),
      ...[result.target.url, 'Quire 0.1.0', '2 cores (EPYC), 24 GB', '2026-11-25 02:00 UTC', 'transport'],
      ...['8,400 ms', '1.0 ms', 'ONLYOFFICE Docs 7.2.2 (2023)', '32 cores, 64 GB, fast SSD'],
    ];
    for (const text of named) expect(page).toContain(text);
  });

  it('[LR10] has who came in and who was refused in each phase', () => {
    const phase = {
      ...{ name: 'storm', title: 'Ten times too many', fromS: 0, toS: 20, latencies: [] },
      counters: Object.entries({ opened: 2_000, refused: 18_000 }).map(([name, value]) => ({ name, value })),
    };
    const page = runReport(syntheticResult(run, { phases: [phase] }), assets);
    const row = /<tr><th[^>]*>Ten times too many<.*?<\/tr>/s.exec(page)![0];
    expect(row).toContain('0:00 to 0:20');
    expect(row).toMatch(/>100<.*>900</s);
  });

  it('[LR10] draws every series, and says what it draws in tables', () => {
    const result = syntheticResult(run);
    const page = runReport(result, assets);
    const charts = chartsIn(page);
    for (const { group, title, unit, points } of result.series) {
      const chart = charts.find((one) => one.title === group)!;
      expect(chart).toMatchObject({ unit, timesS: result.timesS });
      const drawn = chart.lines.find((line) => line.title === title)!.values;
      expect(drawn).toEqual(points.map((value) => Number(value!.toPrecision(4))));
    }
    const cpu = charts.find(({ title }) => title.startsWith('CPU of the target'))!;
    expect(cpu.lines.map(({ title, values }) => [title, values[0]])).toEqual([
      ['service', 0.25],
      ['database', 0.125],
    ]);
    expect(page.match(/<figure /g)).toHaveLength(charts.length);
    expect(page.match(/<table class="values">/g)).toHaveLength(charts.length);
    const acknowledged = charts.find(({ title }) => title === 'A save, acknowledged')!;
    expect(acknowledged.limits).toEqual([{ title: 'A save acknowledged, p99', value: 100 }]);
  });

  it('[LR10] names what was zero all the time instead of drawing it', () => {
    const result = syntheticResult(run);
    const zero = {
      name: 'a',
      title: 'Sign-ins',
      unit: '1/s',
      group: 'Refused',
      points: result.timesS.map(() => 0),
    };
    const page = runReport({ ...result, series: [...result.series, zero] }, assets);
    expect(page).toContain('Zero all the time: Refused (Sign-ins).');
    expect(chartsIn(page).some(({ title }) => title === 'Refused')).toBe(false);
  });

  it('[LR14] says how fast the memory of each process grows while everybody is in, and how sure that is', () => {
    const stretches = [
      { forS: 100, people: 100, savesPerS: 0, messagesPerS: 0 },
      { forS: 1_200, people: 100, savesPerS: 0, messagesPerS: 0 },
      { forS: 100, people: 0, savesPerS: 0, messagesPerS: 0 },
    ];
    const still = syntheticResult({
      stretches,
      costs: { service: { baseMb: 100, connectionKb: 10 } },
      everyS: 5,
    });
    const growing = structuredClone(still);
    const [service] = growing.processes;
    service!.memoryBytes = service!.memoryBytes.map((bytes, at) => bytes! + growing.timesS[at]! * 1_000);
    expect(memorySlopes(still)[0]).toMatchObject({ perHourMb: 0, errorMb: 0 });
    const slope = memorySlopes(growing)[0]!;
    expect(slope.perHourMb).toBeCloseTo(3.6);
    expect(slope.toS - slope.fromS).toBeCloseTo(600, -2);
    expect(runReport(growing, assets)).toContain('Memory while everybody is in');
    expect(memorySlopes(syntheticResult(run))[0]).toBeNull();
  });

  it('[LR11] says why a run failed: a broken threshold, a difference, an early end', () => {
    expect(verdictOf(syntheticResult(run))).toMatchObject({ passed: true });
    const different = {
      name: 'a',
      title: 'Acks',
      compared: 5,
      different: 2,
      differences: ['change 7 is gone'],
    };
    const failed = syntheticResult({ ...run, slower: 20 }, { checks: [different], cut: 'interrupted' });
    const page = runReport(failed, assets);
    for (const text of [
      '1 of 1 thresholds broken',
      '2 differences: no figure',
      'ended early: interrupted',
      'change 7 is gone',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toMatch(/at most 100 ms.*120 ms.*✗/s);
  });

  it('[LR12] takes no name of a result for HTML, and runs no script but its own', () => {
    const hostile = '</script><img src=x onerror="alert(1)"><!--';
    const result = syntheticResult(run);
    const spoilt = JSON.parse(JSON.stringify(result), (key, value) =>
      typeof value === 'string' && !['format', 'bound', 'role'].includes(key) ? `${value}${hostile}` : value,
    ) as typeof result;
    spoilt.parameters = { [hostile]: hostile };
    const page = runReport(spoilt, assets);
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toMatch(/<img|<!--/);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(chartsIn(page)[0]!.title).toBe(`People${hostile}`);
    expect(page).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  });

  it('[LR13] stands alone: its script has uPlot inside, and nothing in the file is loaded from elsewhere', async () => {
    const built = await readAssets();
    const page = runReport(syntheticResult(run), built);
    expect(page.split('\n').find((line) => line.includes('http-equiv'))).toContain("default-src 'none'");
    expect(/<link|<script[^>]* src|@import|url\(/.test(page)).toBe(false);
    expect(page.match(/<\/script/gi)).toHaveLength(2);
    // One classic script: it would fail here as a module, and fails at its first need of a browser.
    expect(() => new Script(built.script).runInContext(createContext({}))).toThrow(
      /document|window|navigator/,
    );
    expect(built.styles.includes('.u-wrap')).toBe(true);
    const dockerfile = readFileSync(path.join(packageRoot, 'Dockerfile'), 'utf8');
    expect(dockerfile).toContain('COPY --from=build /app/dist/report ./dist/report');
  });
});
