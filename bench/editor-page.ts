/**
 * The word processor as people have it: server, api.js, frame, toolbar, journal. How long a long document takes from its
 * download to the first letter, and what a letter costs the page's thread with its layout.
 *
 *     node dist/bench/editor-page.js [--pages 400] [--letters 200]
 */
import './support/help.ts';

import type { Page } from 'playwright-core';
import { TestIntegrator } from '../test/support/integrator.ts';
import { numbersFrom } from './support/bench-run.ts';
import { openHosted, startChromium } from './support/hosted-page.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { startServerProcess } from './support/server-process.ts';

const options = numbersFrom({ pages: 400, letters: 200 });

/** What the script below leaves on `window`, milliseconds. */
interface Measured {
  downloadedMs: number;
  firstLetterMs: number;
  letters: number[];
  frames: number[];
  transferredBytes: number;
}

/**
 * Runs in the frame before the editor's own scripts. A letter is measured from the press of its key until its place on
 * the page is known, and until the frame that shows it has been drawn.
 */
const measuring = `
  window.measured = { downloadedMs: 0, firstLetterMs: 0, letters: [], frames: [], transferredBytes: 0 };
  let pressedMs = 0;
  addEventListener('keydown', () => { pressedMs = performance.now(); }, true);
  // The editor's own listener is further inside, so it has done its work.
  addEventListener('beforeinput', () => {
    document.querySelector('.ProseMirror').getBoundingClientRect();
    const startMs = pressedMs;
    const now = performance.now();
    measured.letters.push(now - startMs);
    measured.firstLetterMs ||= now;
    requestAnimationFrame(() => setTimeout(() => measured.frames.push(performance.now() - startMs)));
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name.includes('/cache/files/')) measured.downloadedMs ||= entry.responseEnd;
      else if (/\\/assets\\/|index\\.html/.test(entry.name)) measured.transferredBytes += entry.encodedBodySize;
    }
  }).observe({ type: 'resource', buffered: true });
`;

async function measure(server: string, integrator: TestIntegrator, page: Page): Promise<Row> {
  const docx = longDocument(options.pages);
  progress(`${options.pages} pages, ${Math.round(docx.length / 1024)} KB`);
  await page.addInitScript(measuring);
  const frame = await openHosted(page, server, integrator, { name: 'long.docx', bytes: docx, kind: 'word' });
  const text = frame.locator('.ProseMirror[contenteditable="true"]');
  await text.waitFor({ timeout: 120_000 });
  await text.focus();
  for (let letter = 0; letter < options.letters; letter++) await page.keyboard.press('x');
  const measured = (await frame.evaluate('measured')) as Measured;
  return {
    pages: options.pages,
    'download to first letter ms': rounded(measured.firstLetterMs - measured.downloadedMs, 0),
    ...timesOf('letter', measured.letters.slice(1)),
    ...timesOf('frame', measured.frames.slice(1)),
    'first load KB': rounded(measured.transferredBytes / 1024, 0),
  };
}

const [server, integrator] = await Promise.all([startServerProcess(), TestIntegrator.start()]);
const browser = await startChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  report('editor-page', options, [await measure(`http://127.0.0.1:${server.port}`, integrator, page)]);
} finally {
  await browser.close();
  await Promise.all([server.stop(), integrator.close()]);
}
