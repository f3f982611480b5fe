import { deleteSelection } from 'prosemirror-commands';
import type { Node } from 'prosemirror-model';
import { EditorState, TextSelection } from 'prosemirror-state';
import { encodeChange } from '../../model/word/change.ts';
import { randomFrom } from '../../test/support/fault-random.ts';
import { acceptedChecks, type DocumentCheck, documentChecks } from './document-checks.ts';
import { afterLog, type DocumentRun } from './document-run.ts';
import type { RandomEditorClass } from './random-editor.ts';

/** What was found after something was done to a document: `deed` says what, `faults` are by the names of the checks. */
export interface Finding {
  readonly deed: string;
  readonly faults: ReadonlyMap<string, readonly string[]>;
}

/** What was thrown, as the fault of a check of its own. */
function thrown(error: unknown): ReadonlyMap<string, readonly string[]> {
  const lines = error instanceof Error ? (error.stack ?? '').split(/\n\s*/) : [String(error)];
  const own = lines.filter((line) => !line.includes('node_modules/prosemirror'));
  return new Map([['exceptions', [own.slice(0, 4).join(' ')]]]);
}

/** Saves a document that nobody touched: that has to give the bytes that were opened. */
export function* savedUntouched(run: DocumentRun): Generator<Finding> {
  const { bytes } = run.write(run.source.doc);
  const same = Buffer.compare(bytes, run.bytes) === 0;
  yield { deed: 'saving it untouched', faults: same ? new Map() : new Map([['bytes changed', ['']]]) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The paragraphs of a document without and with their breaks, at most so many, evenly spread. */
function rangesOf(doc: Node, mostParagraphs: number): Range[] {
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

/** Deletes paragraphs, one at a time, from the document as it was opened. */
export function* deletions(
  run: DocumentRun,
  mostParagraphs: number,
  knowsFields: boolean,
): Generator<Finding> {
  const { doc } = run.source;
  const state = EditorState.create({ doc, plugins: run.plugins(knowsFields) });
  for (const { from, to } of rangesOf(doc, mostParagraphs)) {
    let current = state.apply(state.tr.setSelection(TextSelection.create(doc, from, to)));
    const made: string[] = [];
    const isDone = deleteSelection(current, (given) => {
      const applied = current.applyTransaction(given);
      current = applied.state;
      for (const { steps } of applied.transactions)
        made.push(...steps.map((step) => encodeChange('bench', step)));
    });
    if (!isDone) continue;
    yield {
      deed: `deleting ${from} to ${to}`,
      faults: run.faultsOf(run.write(afterLog(doc, made))),
    };
  }
}

interface CommandOptions {
  readonly count: number;
  readonly seed: number;
  /** After how many commands the document is written and looked at. */
  readonly every: number;
}

/** Gives random commands one after the other, and at the end accepts every change. */
export function* commands(
  run: DocumentRun,
  Editor: RandomEditorClass,
  { count, seed, every }: CommandOptions,
): Generator<Finding> {
  const editor = new Editor(run.json, randomFrom(seed));
  const reported = new Set<string>();
  const fresh = (faults: ReadonlyMap<string, readonly string[]>) =>
    new Map([...faults].filter(([name]) => !reported.has(name) && reported.add(name)));
  let log = run.source.doc;
  const look = (checks?: readonly DocumentCheck[]) => {
    log = afterLog(log, editor.takeChanges());
    if (JSON.stringify(log) !== JSON.stringify(editor.state.doc))
      throw new Error('the log gives another document');
    return fresh(run.faultsOf(run.write(log), checks));
  };
  let deed = 'opening';
  try {
    for (let at = 1; at <= count; at++) {
      deed = `the command after: ${deed}`;
      deed = `command ${at}, ${editor.act()}`;
      yield { deed, faults: at % every === 0 || at === count ? look() : new Map() };
    }
    deed = 'accepting all changes';
    editor.acceptAll();
    yield { deed, faults: look([...documentChecks, ...acceptedChecks]) };
  } catch (error) {
    yield { deed, faults: thrown(error) };
  }
}
