/**
 * Whether what is typed in content controls of other programs' documents is there when a program reads the file that takes the text of
 * bound controls from the data: in each control of each file that is bound to data or shows a placeholder and that people may type in, a word is
 * put, one at a time, and the file is written and read again by a reader of its own (`bench/support/bound-text.ts`).
 *
 *     node dist/bench/bound-controls.js --files DIR [--files DIR …] [--show 3]
 *
 * `--show`: so many faults are shown. Ends with code 1 when an edit is lost, a placeholder is still said to be shown, or controls of
 * a value show different texts.
 */
import './support/help.ts';

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { encodeChange } from '../model/word/change.ts';
import { readResolved } from './support/bound-text.ts';
import { progress, type Row, report } from './support/report.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    show: { type: 'string', default: '3' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');

interface Tally {
  files: number;
  withBound: number;
  /** Controls with a binding in those files, and those of them whose value is found. */
  bound: number;
  found: number;
  edits: number;
  held: number;
  lost: number;
  placeholders: number;
  unequal: number;
  /** Files with any of these. */
  faulty: number;
}

interface Place {
  readonly ref: string;
  readonly position: number;
  readonly text: Node;
}

/** The first text of each content control of a document, by the control. */
function placesIn(doc: Node): Place[] {
  const places = new Map<string, Place>();
  const visit = (node: Node, position: number, around: readonly string[]): void => {
    if (node.isText) {
      const within = node.marks.find(({ type }) => type.name === 'within');
      for (const ref of within ? [...around, String(within.attrs.key)] : around) {
        if (!places.has(ref)) places.set(ref, { ref, position, text: node });
      }
      return;
    }
    const inside = node.type.name === 'block_wrap' ? [...around, String(node.attrs.id)] : around;
    node.forEach((child, offset) => {
      visit(child, position + offset + (node.type.name === 'doc' ? 0 : 1), inside);
    });
  };
  visit(doc, 0, []);
  return [...places.values()];
}

let shown = 0;
function printFault(file: string, what: string): void {
  if (shown++ < Number(values.show)) progress(`${path.basename(file)}: ${what}`);
}

function judge(file: string, bytes: Uint8Array, tally: Tally): void {
  const { doc } = openDocx(bytes);
  const before = readResolved(bytes);
  const bound = before.controls.filter(({ isBound }) => isBound).length;
  const faultsBefore = tally.lost + tally.placeholders + tally.unequal;
  if (bound > 0) tally.withBound += 1;
  tally.bound += bound;
  tally.found += before.controls.filter(({ value }) => value !== null).length;
  for (const [at, { position, text }] of placesIn(doc).entries()) {
    const word = `quire${at}typed`;
    const tr = new Transform(doc).insert(position, text.type.schema.text(word, text.marks));
    const changes = tr.steps.map((step) => ({
      change: encodeChange('bench', step),
      author: { name: 'Bench' },
    }));
    const { bytes: written, skipped } = assembleDocx(bytes, changes);
    if (skipped.length > 0) {
      tally.held += 1;
      continue;
    }
    tally.edits += 1;
    const after = readResolved(written);
    if (!after.text.includes(word)) {
      tally.lost += 1;
      printFault(file, `what was typed into ${text.text?.slice(0, 40)} is lost`);
    }
    const typed = after.controls.filter(({ own }) => own.includes(word));
    if (typed.some(({ showsPlaceholder }) => showsPlaceholder)) {
      tally.placeholders += 1;
      printFault(file, 'a control shows what was typed as a placeholder');
    }
    const others = after.controls.filter(({ own, value }) => value?.includes(word) && !own.includes(word));
    if (others.length > 0) {
      tally.unequal += 1;
      printFault(file, `controls of one value show different texts: ${others[0]!.own.slice(0, 40)}`);
    }
  }
  if (tally.lost + tally.placeholders + tally.unequal > faultsBefore) tally.faulty += 1;
}

const rows: Row[] = [];
let faults = 0;
for (const directory of values.files) {
  progress(directory);
  const tally: Tally = {
    files: 0,
    withBound: 0,
    bound: 0,
    found: 0,
    edits: 0,
    held: 0,
    lost: 0,
    placeholders: 0,
    unequal: 0,
    faulty: 0,
  };
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => /\.doc[xm]$/i.test(name))
    .sort();
  for (const name of names) {
    const file = path.join(directory, name);
    const bytes = await readFile(file);
    if (!bytes.includes('PK')) continue;
    try {
      openDocx(bytes);
    } catch {
      continue;
    }
    tally.files += 1;
    judge(file, bytes, tally);
  }
  faults += tally.lost + tally.placeholders + tally.unequal;
  const { withBound, ...counts } = tally;
  rows.push({ directory: path.basename(directory), 'with bound controls': withBound, ...counts });
}
report('bound-controls', { ...values, files: values.files.map((one) => path.basename(one)) }, rows);
process.exitCode = faults > 0 ? 1 : 0;
