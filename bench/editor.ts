/**
 * A long document in Chromium: from the document's JSON in the page to the first letter typed, and what a letter costs
 * with layout, at the beginning, in the middle and at the end. Without a server: the view of the word editor
 * alone, with its plugins, on a page of its own.
 *
 *     node dist/bench/editor.js [--pages 400] [--letters 100] [--rows 1500]
 *
 * `rows` is the length of a second document, which is one table.
 */
import './support/help.ts';

import { buildDocx } from '../test/support/docx-fixture.ts';
import { type ShownPage, ViewWorld } from '../test/support/view-world.ts';
import { numbersFrom } from './support/bench-run.ts';
import { startChromium } from './support/hosted-page.ts';
import { longDocument } from './support/long-document.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

const options = numbersFrom({ pages: 400, letters: 100, rows: 1_500 });

/** What `view-page.ts` offers for measuring. */
interface MeasuringScope {
  quire: {
    typingTimes(share: number, letters: number): Promise<number[]>;
    openMs: number;
  };
}

async function typing(shown: ShownPage, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const share of [0, 0.5, 1]) {
    const times = await shown.page.evaluate(
      ([at, letters]) => (globalThis as unknown as MeasuringScope).quire.typingTimes(at, letters),
      [share, options.letters] as const,
    );
    rows.push({ document: name, at: `${share * 100} %`, ...timesOf('letter', times) });
  }
  return rows;
}

async function measure(world: ViewWorld, name: string, docx: Uint8Array): Promise<Row[]> {
  progress(`${name}: ${Math.round(docx.length / 1024)} KB`);
  const shown = await world.show(docx);
  const openMs = await shown.page.evaluate(() => (globalThis as unknown as MeasuringScope).quire.openMs);
  const rows = await typing(shown, name);
  await shown.page.close();
  return rows.map((row) => ({ ...row, 'open ms': rounded(openMs, 0) }));
}

function tableDocument(rows: number): Uint8Array {
  const cell = (text: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="1800" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const row = (index: number) =>
    `<w:tr>${Array.from({ length: 5 }, (_, at) => cell(`cell ${index} ${at}`)).join('')}</w:tr>`;
  const grid = `<w:tblGrid>${'<w:gridCol w:w="1800"/>'.repeat(5)}</w:tblGrid>`;
  const body = Array.from({ length: rows }, (_, index) => row(index)).join('');
  return buildDocx({ paragraphs: ['A table'], body: `<w:tbl><w:tblPr/>${grid}${body}</w:tbl><w:p/>` });
}

const browser = await startChromium();
try {
  const world = await ViewWorld.open(browser);
  const rows = [
    ...(await measure(world, `${options.pages} pages`, longDocument(options.pages))),
    ...(await measure(world, `table of ${options.rows} rows`, tableDocument(options.rows))),
  ];
  report('editor', options, rows);
} finally {
  await browser.close();
}
