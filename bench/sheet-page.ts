/**
 * The spreadsheet editor as people have it: server, api.js, frame, grid, calculation in its worker. A workbook of 100,000 values and
 * 20,000 formulas is opened and typed into, and a sheet of 200,000 rows is scrolled. CPU is what the main thread of the page
 * has used by its own clock, so other work on the machine counts little; times are those on the wall.
 *
 *     node dist/bench/sheet-page.js [--entries 60] [--frames 300] [--tall-rows 200000] [--profile <directory>]
 *
 * `--profile`: leaves CPU profiles of the page there, for DevTools.
 */
import './support/help.ts';

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Frame, Page } from 'playwright-core';
import { usageOf } from '../load/process-usage.ts';
import { TestIntegrator } from '../test/support/integrator.ts';
import { numbersFrom } from './support/bench-run.ts';
import { openHosted, startChromium } from './support/hosted-page.ts';
import { largeWorkbook } from './support/large-workbook.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { startServerProcess } from './support/server-process.ts';

const options = numbersFrom({ entries: 60, frames: 300, 'tall-rows': 200_000 });
const { profile: profileDirectory } = parseArgs({
  options: { profile: { type: 'string' } },
  strict: false,
}).values;

/** What the script below leaves on `window`, milliseconds of the frame's own clock. */
interface Measured {
  readonly downloadedMs: number;
  readonly editableMs: number;
  readonly longTasks: readonly number[];
  readonly drawn: Readonly<Record<string, { readonly drawnMs: number; readonly shownMs: number }>>;
  readonly enteredMs: number;
  readonly firstBytes: number;
  readonly laterBytes: number;
}

/**
 * Runs in the frame before the editor's own scripts. A text counts as drawn when it is put on a canvas, and as shown when the
 * frame of that has been handed over.
 */
const measuring = `
  window.measured = {
    downloadedMs: 0, editableMs: 0, longTasks: [], drawn: {}, enteredMs: 0, firstBytes: 0, laterBytes: 0,
  };
  window.awaited = new Set();
  const { fillText } = CanvasRenderingContext2D.prototype;
  const isEditable = () => document.activeElement?.classList.contains('cell-input') && !document.activeElement.readOnly;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    fillText.call(this, text, ...rest);
    if (!measured.editableMs && text === 'Nails' && isEditable()) measured.editableMs = performance.now();
    if (!awaited.delete(text)) return;
    const drawn = { drawnMs: performance.now(), shownMs: 0 };
    measured.drawn[text] = drawn;
    requestAnimationFrame(() => (drawn.shownMs ||= performance.now()));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (drawn.shownMs ||= performance.now());
    port2.postMessage(0);
  };
  addEventListener('keydown', ({ key }) => { if (key === 'Enter') measured.enteredMs = performance.now(); }, true);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name.includes('/cache/files/')) measured.downloadedMs ||= entry.responseEnd;
      else if (measured.editableMs) measured.laterBytes += entry.encodedBodySize;
      else if (/\\/assets\\/|index\\.html/.test(entry.name)) measured.firstBytes += entry.encodedBodySize;
    }
  }).observe({ type: 'resource', buffered: true });
`;

/** One page with its main thread's clock. */
class MeasuredPage {
  readonly page: Page;
  readonly frame: Frame;
  readonly #cdp: CDPSession;
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page, frame: Frame, cdp: CDPSession) {
    this.#browser = browser;
    this.page = page;
    this.frame = frame;
    this.#cdp = cdp;
  }

  static async open(
    browser: Browser,
    server: string,
    integrator: TestIntegrator,
    name: string,
    bytes: Uint8Array,
  ) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    await page.addInitScript(measuring);
    const frame = await openHosted(page, server, integrator, { name, bytes, kind: 'cell' });
    // The editor's frame has a process of its own.
    const cdp = await page.context().newCDPSession(frame);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await cdp.send('Profiler.enable');
    if (profileDirectory) await cdp.send('Profiler.start');
    await frame.waitForFunction('window.measured.editableMs > 0', undefined, {
      timeout: 120_000,
      polling: 20,
    });
    return new MeasuredPage(browser, page, frame, cdp);
  }

  measured(): Promise<Measured> {
    return this.frame.evaluate('measured');
  }

  /** What the main thread has used until now. */
  async cpuMs(): Promise<number> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  }

  async profile(name: string): Promise<void> {
    if (!profileDirectory) return;
    const { profile } = await this.#cdp.send('Profiler.stop');
    await writeFile(path.join(String(profileDirectory), `${name}.cpuprofile`), JSON.stringify(profile));
    await this.#cdp.send('Profiler.start');
  }

  /** After a collection: the heap of the main thread, and everything that the renderer's process has, workers included. */
  async memory(): Promise<{ heapMb: number; processMb: number }> {
    await this.#cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#cdp.send('Performance.getMetrics');
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value;
    const cdp = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    const usages = await Promise.all(renderers.map(({ id }) => usageOf(id, { withEnded: false })));
    const bytes = Math.max(...usages.map(({ pssBytes }) => pssBytes));
    return { heapMb: rounded(heap / 2 ** 20, 0), processMb: rounded(bytes / 2 ** 20, 0) };
  }

  /** Waits until texts are drawn; resolves with how long after Enter they were drawn and shown. */
  async drawn(texts: readonly string[]): Promise<{ drawnMs: number; shownMs: number }[]> {
    const all = JSON.stringify(texts);
    await this.frame.waitForFunction(`${all}.every((text) => measured.drawn[text]?.shownMs)`, undefined, {
      timeout: 20_000,
      polling: 20,
    });
    const { drawn, enteredMs } = await this.measured();
    return texts.map((text) => ({
      drawnMs: drawn[text]!.drawnMs - enteredMs,
      shownMs: drawn[text]!.shownMs - enteredMs,
    }));
  }

  async goTo(cell: string): Promise<void> {
    await this.frame.locator('.name-box').fill(cell);
    await this.page.keyboard.press('Enter');
  }

  /** Types into a cell; resolves when the value and what depends on it are drawn. */
  async enter(cell: string, text: string, dependent: string) {
    await this.goTo(cell);
    await this.page.keyboard.type(text);
    await this.frame.evaluate(`for (const text of ${JSON.stringify([text, dependent])}) awaited.add(text)`);
    await this.page.waitForTimeout(100);
    const before = await this.cpuMs();
    await this.page.keyboard.press('Enter');
    const [own, other] = await this.drawn([text, dependent]);
    return { own: own!, other: other!, cpuMs: (await this.cpuMs()) - before };
  }
}

/** What the numbers of a row from column D on add up to, without column D. */
function restOf(row: number): number {
  let total = 0;
  for (let column = 4; column < 10; column++) total += ((row * column) % 997) / 4;
  return total;
}

async function measureTyping(browser: Browser, server: string, integrator: TestIntegrator): Promise<Row[]> {
  const bytes = largeWorkbook({ rows: 10_000, values: 10, formulas: true });
  progress(`100,000 values and 20,000 formulas, ${Math.round(bytes.length / 1024)} KB`);
  const opened = await MeasuredPage.open(browser, server, integrator, 'large.xlsx', bytes);
  const openingCpuMs = await opened.cpuMs();
  // The first entry waits for the calculation to be loaded.
  const first = await opened.enter('D5', '4321', String(4321 + restOf(4)));
  const { downloadedMs, editableMs, longTasks } = await opened.measured();
  await opened.profile('opening');
  const entries = [];
  for (let at = 0; at < options.entries; at++) {
    const row = 9 + (at % 10);
    const value = 7_001 + at;
    entries.push(await opened.enter(`D${row + 1}`, String(value), String(value + restOf(row))));
  }
  await opened.profile('entries');
  const many = [];
  for (let at = 0; at < Math.ceil(options.entries / 6); at++) {
    const factor = 202 + 2 * at;
    many.push(await opened.enter('A1', String(factor), String(factor * 10.5)));
  }
  await opened.profile('many-dependents');
  const { heapMb, processMb } = await opened.memory();
  const { firstBytes, laterBytes } = await opened.measured();
  await opened.page.close();
  return [
    {
      what: 'opening',
      'download to editable ms': rounded(editableMs - downloadedMs, 0),
      'main thread CPU from the start ms': rounded(openingCpuMs, 0),
      'longest task ms': rounded(Math.max(0, ...longTasks), 0),
      'first value calculated ms': rounded(first.other.shownMs, 0),
      'first load KB': rounded(firstBytes / 1024, 0),
      'later KB': rounded(laterBytes / 1024, 0),
      'heap MB': heapMb,
      'renderer MB': processMb,
    },
    ...[
      { what: 'an entry with 2 dependents', made: entries },
      { what: 'an entry with 10,000 dependents', made: many },
    ].map(({ what, made }) => ({
      what,
      ...timesOf(
        'shown',
        made.map(({ own }) => own.shownMs),
      ),
      ...timesOf(
        'dependent shown',
        made.map(({ other }) => other.shownMs),
      ),
      ...timesOf(
        'CPU',
        made.map(({ cpuMs }) => cpuMs),
      ),
    })),
  ];
}

/** Scrolls by so many pixels in each frame, as a wheel or a finger does. */
const scrolling = (stepPx: number, frames: number) => `new Promise((done) => {
  const scroller = document.querySelector('.grid-scroller');
  let left = ${frames};
  const next = () => {
    if (left-- === 0) return done(scroller.scrollTop);
    scroller.scrollTop += ${stepPx};
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})`;

async function measureScrolling(
  browser: Browser,
  server: string,
  integrator: TestIntegrator,
): Promise<Row[]> {
  const bytes = largeWorkbook({ rows: options['tall-rows'], values: 8, formulas: false });
  progress(`${options['tall-rows']} rows, ${Math.round(bytes.length / 1024)} KB`);
  const opened = await MeasuredPage.open(browser, server, integrator, 'tall.xlsx', bytes);
  const { downloadedMs, editableMs } = await opened.measured();
  await opened.page.waitForTimeout(1_000);
  await opened.profile('opening-tall');
  const rows: Row[] = [];
  for (const [what, stepPx] of [
    ['a wheel, 100 px a frame', 100],
    ['a fling, 600 px a frame', 600],
    ['the bar dragged, 9,000 px a frame', 9_000],
  ] as const) {
    await opened.frame.evaluate(scrolling(-1e9, 2));
    const before = await opened.cpuMs();
    const reached = Number(await opened.frame.evaluate(scrolling(stepPx, options.frames)));
    const cpuMs = ((await opened.cpuMs()) - before) / options.frames;
    if (reached < stepPx * (options.frames - 2)) throw new Error(`scrolled to ${reached} px only`);
    rows.push({ what, 'main thread CPU a frame ms': rounded(cpuMs) });
    await opened.profile(`scrolling-${stepPx}`);
  }
  const { heapMb, processMb } = await opened.memory();
  await opened.page.close();
  return [
    {
      what: `opening ${options['tall-rows']} rows`,
      'download to editable ms': rounded(editableMs - downloadedMs, 0),
      'heap MB': heapMb,
      'renderer MB': processMb,
    },
    ...rows,
  ];
}

const [server, integrator] = await Promise.all([startServerProcess(), TestIntegrator.start()]);
const browser = await startChromium();
try {
  const address = `http://127.0.0.1:${server.port}`;
  const rows = [
    ...(await measureTyping(browser, address, integrator)),
    ...(await measureScrolling(browser, address, integrator)),
  ];
  for (const row of rows) report('sheet-page', options, [row]);
} finally {
  await browser.close();
  await Promise.all([server.stop(), integrator.close()]);
}
