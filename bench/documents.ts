/**
 * What becomes of documents of other programs when somebody deletes a paragraph: each file is opened, paragraphs of it are selected
 * one at a time and deleted by the command of the Delete key, in a session's plugins without a page, and the document is
 * written. Counted are the files, and the deletions, after which a check of `bench/support/document-checks.ts` finds what it
 * did not find in the file before. A paragraph is selected without its break, and with it as by shift and the down key.
 *
 *     node dist/bench/documents.js --files DIR [--files DIR …] [--paragraphs 40] [--client plain] [--show 3] [--limit 0]
 *
 * `--paragraphs`: at most so many of each file, evenly spread, 0: all; `--client plain`: what a client does that knows nothing
 * of fields, so that the writer alone is judged; `--show`: so many faults of each check are told; `--limit`: at most so many files.
 * Ends with code 1 when anything is found.
 */
import './support/help.ts';

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { deleteSelection } from 'prosemirror-commands';
import type { Node } from 'prosemirror-model';
import { EditorState, type Plugin, TextSelection } from 'prosemirror-state';
import { blockIds } from '../client/word/block-ids.ts';
import { wholeFields } from '../client/word/whole-fields.ts';
import { DocxSource } from '../converter/engines/ooxml/docx/docx-source.ts';
import { writeDocx } from '../converter/engines/ooxml/docx/docx-writer.ts';
import { ModelBudget } from '../converter/engines/ooxml/docx/model-budget.ts';
import { OfficePackage } from '../converter/engines/ooxml/office-package.ts';
import { decodeXml } from '../converter/engines/ooxml/xml-encoding.ts';
import { applyChange, encodeChange } from '../model/word/change.ts';
import { FieldPairs } from '../model/word/fields/field-pairs.ts';
import { documentChecks, type WrittenDocument } from './support/document-checks.ts';
import { progress, type Row, report } from './support/report.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    paragraphs: { type: 'string', default: '40' },
    client: { type: 'string', default: 'ours' },
    show: { type: 'string', default: '3' },
    limit: { type: 'string', default: '0' },
  },
});
if (!values.files) throw new Error('say where the files are: --files DIR');
const mostParagraphs = Number(values.paragraphs) || Number.POSITIVE_INFINITY;
const mostFiles = Number(values.limit) || Number.POSITIVE_INFINITY;

/** What was found in one directory, by the names of the checks. */
interface Tally {
  files: number;
  refused: number;
  withFields: number;
  deletions: number;
  readonly faultyFiles: Map<string, number>;
  readonly faultyDeletions: Map<string, number>;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The paragraphs of a document without and with their breaks. */
function rangesOf(doc: Node): Range[] {
  const paragraphs: { start: number; end: number; next: number | null }[] = [];
  doc.descendants((node, position, parent, index) => {
    if (!node.isTextblock) return true;
    const end = position + node.nodeSize - 1;
    const isFollowed = parent?.maybeChild(index + 1)?.isTextblock === true;
    paragraphs.push({ start: position + 1, end, next: isFollowed ? end + 2 : null });
    return false;
  });
  const every = Math.max(1, paragraphs.length / mostParagraphs);
  const some = Array.from(
    { length: Math.min(paragraphs.length, mostParagraphs) },
    (_unused, at) => paragraphs[Math.floor(at * every)]!,
  );
  return some.flatMap(({ start, end, next }) => [
    ...(end > start ? [{ from: start, to: end }] : []),
    ...(next === null ? [] : [{ from: start, to: next }]),
  ]);
}

/** The document after a deletion, as the log makes it on every replica; null when the command does nothing. */
function deleted(state: EditorState, { from, to }: Range): Node | null {
  let current = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
  const changes: string[] = [];
  const isDone = deleteSelection(current, (given) => {
    const applied = current.applyTransaction(given);
    current = applied.state;
    for (const { steps } of applied.transactions) {
      for (const step of steps) changes.push(encodeChange('bench', step));
    }
  });
  if (!isDone) return null;
  let { doc } = state;
  for (const change of changes) {
    const after = applyChange(doc, change);
    if (typeof after === 'string') throw new Error(`a change was skipped: ${after}`);
    doc = after;
  }
  return doc;
}

function written(source: DocxSource, doc: Node): WrittenDocument {
  const part = writeDocx(source, doc, () => undefined).parts.get(source.package.mainPart);
  return { doc, xml: part ? decodeXml(part).text : source.xml.text };
}

function faultsIn(document: WrittenDocument): Map<string, readonly string[]> {
  return new Map(documentChecks.map((check) => [check.name, check.faults(document)]));
}

const shown = new Map<string, number>();
function tell(file: string, name: string, range: Range, fault: string): void {
  const count = shown.get(name) ?? 0;
  if (count >= Number(values.show)) return;
  shown.set(name, count + 1);
  progress(`${path.basename(file)}: ${name} after deleting ${range.from} to ${range.to}: ${fault}`);
}

function judge(file: string, source: DocxSource, tally: Tally): void {
  const marks = source.map.fieldMarks;
  if (marks.length > 0) tally.withFields += 1;
  const own: Plugin[] = values.client === 'plain' ? [] : [wholeFields(new FieldPairs(source.doc, marks))];
  const state = EditorState.create({ doc: source.doc, plugins: [...own, blockIds('bench')] });
  const before = faultsIn({ doc: source.doc, xml: source.xml.text });
  const found = new Set<string>();
  for (const range of rangesOf(source.doc)) {
    const doc = deleted(state, range);
    if (!doc) continue;
    tally.deletions += 1;
    const after = written(source, doc);
    for (const { name, faults, isMended } of documentChecks) {
      const old = isMended ? [] : before.get(name)!;
      const fresh = faults(after).filter((fault) => !old.includes(fault));
      if (fresh.length === 0) continue;
      found.add(name);
      tally.faultyDeletions.set(name, (tally.faultyDeletions.get(name) ?? 0) + 1);
      tell(file, name, range, fresh[0]!);
    }
  }
  for (const name of found) tally.faultyFiles.set(name, (tally.faultyFiles.get(name) ?? 0) + 1);
}

async function judgeDirectory(directory: string): Promise<Tally> {
  const tally: Tally = {
    files: 0,
    refused: 0,
    withFields: 0,
    deletions: 0,
    faultyFiles: new Map(),
    faultyDeletions: new Map(),
  };
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => /\.doc[xm]$/i.test(name))
    .sort();
  for (const name of names.slice(0, mostFiles)) {
    const file = path.join(directory, name);
    const bytes = await readFile(file);
    let source: DocxSource;
    try {
      source = new DocxSource(new OfficePackage(bytes), new ModelBudget(false));
    } catch {
      tally.refused += 1;
      continue;
    }
    tally.files += 1;
    judge(file, source, tally);
  }
  return tally;
}

const rows: Row[] = [];
let faulty = 0;
for (const directory of values.files) {
  progress(directory);
  const tally = await judgeDirectory(directory);
  const counts = documentChecks.flatMap(({ name }) => {
    const [files, deletions] = [tally.faultyFiles.get(name) ?? 0, tally.faultyDeletions.get(name) ?? 0];
    faulty += deletions;
    return [[name, `${files} files, ${deletions}`] as const];
  });
  rows.push({
    directory: path.basename(directory),
    files: tally.files,
    refused: tally.refused,
    'with fields': tally.withFields,
    deletions: tally.deletions,
    ...Object.fromEntries(counts),
  });
}
report('documents', { ...values, files: values.files.map((one) => path.basename(one)) }, rows);
process.exitCode = faulty > 0 ? 1 : 0;
