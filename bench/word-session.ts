/**
 * What a keystroke costs in a word session, beside the same keystroke in a bare editor state that only counts its
 * steps (`prosemirror-collab`), in documents of one page and of 400 pages. Median of CPU-bound wall time, this process.
 * Run: npm run build && node dist/bench/word-session.js
 */
import './support/help.ts';

import { collab } from 'prosemirror-collab';
import { EditorState } from 'prosemirror-state';
import { MemoryUnsentStore } from '../client/replica/memory-unsent-store.ts';
import { WordWorld, wordDocumentText } from '../client/testing/word-world.ts';
import type { EditingMode } from '../client/word/word-session.ts';
import { parseWordDocument } from '../model/word/document.ts';

const WORDS_PER_PARAGRAPH = 66;
/** About seven such paragraphs fill a page of A4. */
const PARAGRAPHS_PER_PAGE = 7;
const WARM_UP_KEYS = 500;
const KEYS = 2_000;
const WORDS = 'the quick brown fox jumps over a lazy dog while documents are saved without any loss'.split(
  ' ',
);

const CASES = [
  { name: 'one page', pages: 1 },
  { name: '400 pages', pages: 400 },
] as const;

function paragraphs(pages: number): string[] {
  return Array.from({ length: pages * PARAGRAPHS_PER_PAGE }, (_, at) =>
    Array.from(
      { length: WORDS_PER_PARAGRAPH },
      (_unused, word) => WORDS[(at * 7 + word) % WORDS.length],
    ).join(' '),
  );
}

/** Median of what each run takes, microseconds. */
function medianUs(run: () => void): number {
  for (let key = 0; key < WARM_UP_KEYS; key++) run();
  const times: number[] = [];
  for (let key = 0; key < KEYS; key++) {
    const before = performance.now();
    run();
    times.push((performance.now() - before) * 1_000);
  }
  return times.sort((a, b) => a - b)[KEYS / 2]!;
}

function middleOf(doc: EditorState['doc']): number {
  const half = Math.floor(doc.childCount / 2);
  return doc.children.slice(0, half).reduce((size, { nodeSize }) => size + nodeSize, 5);
}

function bareState(blocks: readonly string[]): number {
  const { doc } = parseWordDocument(JSON.parse(wordDocumentText(blocks)));
  let state = EditorState.create({ doc, plugins: [collab({ version: 0, clientID: 'bench' })] });
  const at = middleOf(doc);
  return medianUs(() => {
    state = state.apply(state.tr.insertText('x', at));
  });
}

async function session(blocks: readonly string[], editingMode: EditingMode): Promise<number> {
  const world = new WordWorld(blocks);
  const ann = await world.open('ann', { store: new MemoryUnsentStore(), editingMode });
  const at = middleOf(ann.state.doc);
  const median = medianUs(() => ann.dispatch(ann.state.tr.insertText('x', at)));
  ann.client.abort();
  return median;
}

const rows: Record<string, number>[] = [];
const columns = ['bare state', 'fast session', 'strict session'] as const;
for (const { name, pages } of CASES) {
  const blocks = paragraphs(pages);
  const values = [bareState(blocks), await session(blocks, 'fast'), await session(blocks, 'strict')];
  rows.push(Object.fromEntries(columns.map((column, at) => [`${column}, µs`, Math.round(values[at]!)])));
  console.log(name, rows.at(-1));
}
const [small, large] = rows as [Record<string, number>, Record<string, number>];
console.log(
  'ratio of 400 pages to one',
  Object.fromEntries(
    Object.keys(small).map((column) => [column, (large[column]! / small[column]!).toFixed(2)]),
  ),
);
