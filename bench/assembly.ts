/**
 * CPU time (user and system, this process) of opening and assembling documents that are made here.
 * Run: npm run build && node dist/bench/assembly.js
 */
import './support/help.ts';

import { type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, Transform } from 'prosemirror-transform';
import { openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { encodeChange } from '../model/word/change.ts';
import { wordSchema } from '../model/word/schema.ts';
import { longDocument } from './support/long-document.ts';

const WARM_UP_RUNS = 5;
const RUNS = 15;

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
  const base = longDocument(pages);
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
