/**
 * What concerns all of a long document at once, as people have it: finding with every key of a word, selecting all and
 * making it bold, and taking that back. Times are those of the page's thread: from the press of a key until three
 * frames have been drawn: what a key sets off is done in the frames after it. With nothing to do that takes 50 ms.
 *
 *     node dist/bench/whole-document.js [--pages 400] [--profile <directory>]
 */
import './support/help.ts';

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { TestIntegrator } from '../test/support/integrator.ts';
import { numbersFrom } from './support/bench-run.ts';
import { startChromium } from './support/hosted-page.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { startServerProcess } from './support/server-process.ts';

const options = numbersFrom({ pages: 400 });
const { profile: profileDirectory } = parseArgs({
  options: { profile: { type: 'string' } },
  strict: false,
}).values;

/** Of the page's script, which runs in the frame before the editor's own. */
interface Measured {
  /** Milliseconds from the press to the third frame after it, one for each press. */
  frames: number[];
}

const measuring = `
  window.measured = { frames: [] };
  addEventListener('keydown', (event) => {
    if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return;
    const startMs = performance.now();
    const drawn = (left) =>
      requestAnimationFrame(() =>
        setTimeout(() => (left > 1 ? drawn(left - 1) : measured.frames.push(performance.now() - startMs))));
    drawn(3);
  }, true);
`;

function hostPage(server: string, config: unknown): string {
  return `<!doctype html><meta charset="utf-8"><style>html, body { margin: 0; height: 100% }</style><div id="place"></div>
<script src="${server}/web-apps/apps/api/documents/api.js"></script>
<script>new DocsAPI.DocEditor('place', ${JSON.stringify(config).replaceAll('<', '\\u003c')});</script>`;
}

async function editorOn(page: Page): Promise<Frame> {
  for (;;) {
    const frame = page.frames().find((one) => one.url().includes('/web-apps/apps/quire/word/'));
    if (frame) return frame;
    await page.waitForTimeout(5);
  }
}

class Measurement {
  readonly #page: Page;
  readonly #frame: Frame;
  readonly #cdp: CDPSession;

  constructor(page: Page, frame: Frame, cdp: CDPSession) {
    this.#page = page;
    this.#frame = frame;
    this.#cdp = cdp;
  }

  /** Presses keys, each when the one before has been drawn. Returns the milliseconds of each. */
  async press(name: string, keys: readonly string[]): Promise<number[]> {
    await this.#frame.evaluate('measured.frames = []');
    if (profileDirectory) await this.#cdp.send('Profiler.start');
    for (const [at, key] of keys.entries()) {
      await this.#page.keyboard.press(key);
      await this.#until(`measured.frames.length > ${at}`);
    }
    if (profileDirectory) {
      const { profile } = await this.#cdp.send('Profiler.stop');
      await writeFile(path.join(String(profileDirectory), `${name}.cpuprofile`), JSON.stringify(profile));
    }
    const { frames } = (await this.#frame.evaluate('measured')) as Measured;
    progress(`${name}: ${frames.map((one) => Math.round(one)).join(' ')} ms`);
    return frames;
  }

  /** Waits until nothing of this person is unsent any more. Returns the milliseconds that took. */
  async saved(): Promise<number> {
    const startMs = performance.now();
    const saved =
      '/^(?:Saved on the server|Stored)$/.test(document.querySelector(".saving-status").textContent.trim())';
    await this.#until(saved);
    return performance.now() - startMs;
  }

  /** The page forbids the evaluation that `waitForFunction` needs. */
  async #until(condition: string): Promise<void> {
    while (!(await this.#frame.evaluate(condition))) await this.#page.waitForTimeout(2);
  }
}

async function measure(server: string, integrator: TestIntegrator, page: Page): Promise<Row> {
  const docx = longDocument(options.pages);
  progress(`${options.pages} pages, ${Math.round(docx.length / 1024)} KB`);
  const url = integrator.serve('long.docx', { bytes: docx });
  const config = {
    documentType: 'word',
    document: { key: 'long', url, fileType: 'docx', title: 'long.docx', permissions: { edit: true } },
    editorConfig: {
      callbackUrl: integrator.callbackUrl('long'),
      user: { id: 'ann', name: 'Ann' },
      mode: 'edit',
    },
  };
  const address = integrator.serve('host.html', {
    bytes: new TextEncoder().encode(hostPage(server, config)),
    contentType: 'text/html; charset=utf-8',
  });
  await page.addInitScript(measuring);
  await page.goto(address);
  const frame = await editorOn(page);
  const text = frame.locator('.ProseMirror[contenteditable="true"]');
  await text.waitFor({ timeout: 120_000 });
  await text.focus();
  const cdp = await page.context().newCDPSession(frame);
  if (profileDirectory) {
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.setSamplingInterval', { interval: 500 });
  }
  const measurement = new Measurement(page, frame, cdp);
  await measurement.press('letters', ['x', 'y']);
  await measurement.press('open', ['Control+f']);
  const find = await measurement.press('find', [...'without']);
  const next = await measurement.press('next', ['Enter', 'Enter', 'Enter']);
  await measurement.press('close', ['Escape']);
  const all = await measurement.press('all', ['Control+a']);
  const bold = await measurement.press('bold', ['Control+b']);
  const boldSaved = await measurement.saved();
  const undo = await measurement.press('undo', ['Control+z']);
  const undoSaved = await measurement.saved();
  return {
    pages: options.pages,
    ...timesOf('find, a key', find),
    'next max ms': rounded(Math.max(...next), 0),
    'select all ms': rounded(all[0]!, 0),
    'bold ms': rounded(bold[0]!, 0),
    'until saved ms': rounded(boldSaved, 0),
    'undo ms': rounded(undo[0]!, 0),
    'undo until saved ms': rounded(undoSaved, 0),
  };
}

const [server, integrator] = await Promise.all([startServerProcess(), TestIntegrator.start()]);
const browser = await startChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  report('whole-document', options, [await measure(`http://127.0.0.1:${server.port}`, integrator, page)]);
} finally {
  await browser.close();
  await Promise.all([server.stop(), integrator.close()]);
}
