import { type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, Transform } from 'prosemirror-transform';
import { assembleDocx, openDocx } from '../converter/engines/ooxml/docx.ts';
import { encodeChange } from '../model/word/change.ts';
import { wordSchema } from '../model/word/schema.ts';
import { buildDocx, paragraphXml } from '../test/support/docx-fixture.ts';

/**
 * CPU time (user and system, this process) of opening and assembling documents that are made here.
 * Run: npm run build && node dist/bench/assembly.js
 */

const RUNS_PER_PARAGRAPH = 6;
const WORDS_PER_RUN = 11;
/** About seven such paragraphs fill a page of A4. */
const PARAGRAPHS_PER_PAGE = 7;
const WARM_UP_RUNS = 5;
const RUNS = 15;
const WORDS = 'the quick brown fox jumps over a lazy dog while documents are saved without any loss'.split(
  ' ',
);

interface Case {
  readonly name: string;
  readonly pages: number;
  readonly changes: number;
}

const CASES: readonly Case[] = [
  { name: 'one page', pages: 1, changes: 0 },
  { name: 'one page', pages: 1, changes: 25 },
  { name: 'one page', pages: 1, changes: 500 },
  { name: '400 pages', pages: 400, changes: 0 },
  { name: '400 pages', pages: 400, changes: 25 },
  { name: '400 pages', pages: 400, changes: 1000 },
];

interface Row {
  readonly document: string;
  readonly changes: number;
  readonly paragraphs: number;
  readonly 'KB docx': number;
  readonly 'KB model': number;
  readonly 'open, ms CPU': string;
  readonly 'model JSON, ms CPU': string;
  readonly 'assemble first, ms CPU': string;
  readonly 'assemble warm, ms CPU': string;
}

function measure({ name, pages, changes: count }: Case): Row {
  const base = buildDocx({ body: bodyXml(pages) });
  const source = openDocx(base);
  const changes = edits(source.doc, count);
  const first = cpuMs(() => assembleDocx(base, changes));
  const assembled = assembleDocx(base, changes);
  if (assembled.applied !== count) throw new Error(`only ${assembled.applied} of ${count} changes applied`);
  return {
    document: name,
    changes: count,
    paragraphs: source.doc.childCount,
    'KB docx': Math.round(base.length / 1024),
    'KB model': Math.round(JSON.stringify(source.model()).length / 1024),
    'open, ms CPU': warm(() => openDocx(base)),
    'model JSON, ms CPU': warm(() => JSON.stringify(source.model())),
    'assemble first, ms CPU': first.toFixed(1),
    'assemble warm, ms CPU': warm(() => assembleDocx(base, changes)),
  };
}

/** Paragraphs of several runs with a heading on each page and a table on every tenth. */
function bodyXml(pages: number): string {
  let xml = '';
  for (let index = 0; index < pages * PARAGRAPHS_PER_PAGE; index++) {
    if (index % PARAGRAPHS_PER_PAGE === 0) xml += paragraphXml({ text: `Page ${index}`, style: 'Heading1' });
    if (index % (PARAGRAPHS_PER_PAGE * 10) === 3) xml += tableXml(index);
    xml += `<w:p w:rsidR="00AB12${index % 90}"><w:pPr><w:jc w:val="both"/><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:pPr>`;
    for (let run = 0; run < RUNS_PER_PARAGRAPH; run++) xml += runXml(index, run);
    xml += '</w:p>';
  }
  return xml;
}

function runXml(paragraph: number, run: number): string {
  const words = Array.from(
    { length: WORDS_PER_RUN },
    (_, at) => WORDS[(paragraph * 7 + run * 5 + at) % WORDS.length],
  );
  const toggle = ['', '<w:b/>', '<w:i/>'][run % 3];
  return `<w:r><w:rPr>${toggle}<w:lang w:val="en-GB"/></w:rPr><w:t xml:space="preserve">${words.join(' ')} ${paragraph} </w:t></w:r>`;
}

function tableXml(seed: number): string {
  const cell = `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraphXml(`cell ${seed}`)}</w:tc>`;
  const grid = '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>';
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr>${grid}${`<w:tr>${cell.repeat(3)}</w:tr>`.repeat(5)}</w:tbl>`;
}

/** Typing, deleting, formatting and splitting, spread over the whole document. */
function edits(doc: Node, count: number): string[] {
  const transform = new Transform(doc);
  for (let index = 0; transform.steps.length < count; index++) {
    const block = (index * 37) % doc.childCount;
    let position = 1;
    for (let before = 0; before < block; before++) position += transform.doc.child(before).nodeSize;
    if (doc.child(block).content.size < 40 || !doc.child(block).isTextblock) continue;
    const at = position + (index % 20);
    if (index % 10 === 3) transform.addMark(at, at + 6, wordSchema.marks.bold.create());
    else if (index % 10 === 6) transform.step(new ReplaceStep(at, at + 3, Slice.empty));
    else transform.insert(at, wordSchema.text('typed '));
  }
  return transform.steps.map((step) => encodeChange('bench', step));
}

function warm(run: () => unknown): string {
  for (let index = 0; index < WARM_UP_RUNS; index++) run();
  const times = Array.from({ length: RUNS }, () => cpuMs(run)).sort((a, b) => a - b);
  return `${times[Math.floor(RUNS / 2)]!.toFixed(1)} (${times.at(-1)!.toFixed(1)} worst)`;
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

console.log(
  `node ${process.version}, median of ${RUNS} after ${WARM_UP_RUNS} runs; "first" is the case's first run`,
);
console.table(CASES.map(measure));
