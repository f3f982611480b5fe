import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { describe, expect, it } from 'vitest';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { type Draw, draw, stepsOf } from '../../test/model/random-edits.ts';
import type { NamedOperation } from '../replica/kind-replica.ts';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import type { Recovered } from '../replica/unsent-changes.ts';
import { TabStore } from '../testing/session-world.ts';
import { texts, type } from '../testing/word-typing.ts';
import { type WordBlock, WordWorld, wordDocumentText } from '../testing/word-world.ts';
import { alignDocuments, sameContent } from './document-alignment.ts';
import type { WordTypes } from './local-steps.ts';
import { placeSteps } from './placed-steps.ts';
import type { WordSession, WordSessionOptions } from './word-session.ts';

const file = 'file-7';

/** A paragraph as another reading of the file would name it. */
const renamed = (id: string, text: string, marks: object[] = []): WordBlock => ({
  type: 'paragraph',
  attrs: { id },
  content: [{ type: 'text', text, marks }],
});

/** Ann types while the connection is away; her tab crashes, and she opens the file under another key. */
async function returnsTo(
  blocks: readonly WordBlock[],
  edit: (ann: WordSession) => void,
  {
    store = new MemoryUnsentStore(),
    before = ['One', 'Two', 'Three'] as readonly WordBlock[],
    offlineMs = 3_000,
  } = {},
) {
  const world = new WordWorld(before);
  const tab = new TabStore(store);
  const ann = await world.open('ann', { store: tab, file, transport: world.dialOnce() });
  world.network.links[0]!.cut();
  edit(ann);
  await world.pass(100);
  await world.pass(offlineMs);
  tab.crash();
  ann.client.abort();
  const next = new WordWorld(blocks);
  const found: Recovered[] = [];
  const options: Partial<WordSessionOptions> = {
    key: 'doc-2',
    file,
    store,
    onRecovered: (recovered) => found.push(recovered),
  };
  const again = await next.open('ann', options);
  await next.pass(200);
  return { again, next, found, store, options };
}

describe('a file that came back under another key', () => {
  it('[JR20] gets the unsent changes at their places when nobody changed it, in its own terms', async () => {
    const { again, found, store, next } = await returnsTo(
      [renamed('q1', 'One'), renamed('q2', 'Two'), renamed('q3', 'Three')],
      (ann) => {
        type(ann, 1, ' more');
        ann.dispatch(ann.state.tr.split(2));
        ann.dispatch(ann.state.tr.setNodeAttribute(0, 'align', 'right'));
        ann.dispatch(
          ann.state.tr.setNodeMarkup(0, null, { ...ann.state.doc.child(0).attrs, keepNext: true }),
        );
      },
    );
    expect(texts(again)).toEqual(['O', 'ne', 'Two more', 'Three']);
    expect(again.state.doc.child(0).attrs).toMatchObject({ id: 'q1', align: 'right', keepNext: true });
    expect(again.state.doc.child(1).attrs).toMatchObject({ origin: 'q1' });
    expect(found).toMatchObject([{ lost: 0, text: '' }]);
    await again.saved();
    expect(next.changes.join()).not.toMatch(/"p\d"/);
    expect(await store.list('ann', 'doc', file)).toEqual([]);
  });

  it('[JR21] gets what fits where others changed it; the text of the rest is reported until it is discarded', async () => {
    const { again, found, store, next, options } = await returnsTo(
      [renamed('q1', 'A new beginning'), renamed('q2', 'Zero'), renamed('q3', 'Two'), renamed('q4', 'Tree')],
      (ann) => {
        type(ann, 0, ' lost');
        type(ann, 1, ' kept');
        type(ann, 2, '!');
      },
    );
    expect(texts(again)).toEqual(['A new beginning', 'Zero', 'Two kept', 'Tree!']);
    expect(found).toMatchObject([{ applied: 6, lost: 5, text: ' lost' }]);
    await again.saved();
    const [left] = await store.list('ann', 'doc', file);
    expect(left).toMatchObject({ changes: [], unplaced: { count: 5, text: ' lost' } });
    await again.close();

    const reported: Recovered[] = [];
    const third = await next.open('ann', {
      ...options,
      onRecovered: (recovered) => reported.push(recovered),
    });
    expect(reported).toMatchObject([{ applied: 0, lost: 5, text: ' lost' }]);
    expect(texts(third)).toEqual(texts(again));
    await reported[0]!.discard();
    expect(await store.list('ann', 'doc', file)).toEqual([]);
  });

  it('[JR22] keeps nothing that names a part of the earlier file', async () => {
    const marks = [{ type: 'rx', attrs: { index: 3 } }];
    const linked = [{ type: 'link', attrs: { key: 8, href: 'https://example.org/' } }];
    const before = ['One', renamed('p2', 'Two', marks), renamed('p3', 'Three', linked)];
    const after = [
      renamed('q1', 'One'),
      renamed('q2', 'Two', [{ type: 'rx', attrs: { index: 5 } }]),
      renamed('q3', 'Else', []),
    ];
    const { again, next } = await returnsTo(
      after,
      (ann) => {
        // A letter in the run with `rx`, and copies of both blocks at the end.
        ann.dispatch(ann.state.tr.insertText('x', 8));
        const { doc, tr } = ann.state;
        ann.dispatch(tr.insert(doc.content.size, [doc.child(1), doc.child(2)]));
      },
      { before },
    );
    const json = JSON.stringify(again.state.doc.toJSON());
    expect(texts(again)).toEqual(['One', 'Twxo', 'Else', 'Twxo', 'Three']);
    expect(json).toContain('"index":5');
    expect(json).not.toContain('"index":3');
    expect(json).not.toContain('"key":8');
    expect(json).not.toMatch(/"p\d"/);
    await again.saved();
    expect(next.changes.join()).not.toMatch(/"(p\d)"|"key":8|"index":3/);
  });

  it('[JR23] without a snapshot nothing is placed, and the text of the changes is reported', async () => {
    const { again, found } = await returnsTo([renamed('q1', 'One')], (ann) => type(ann, 0, ' more'), {
      offlineMs: 1_000,
    });
    expect(texts(again)).toEqual(['One']);
    expect(found).toMatchObject([{ applied: 0, lost: 5, text: 'more' }]);
  });

  it('[JR24] changes that were sent and saved without an acknowledgement are not made twice', async () => {
    const { again, found } = await returnsTo(
      [renamed('q1', 'One more'), renamed('q2', 'Two'), renamed('q3', 'Three')],
      (ann) => type(ann, 0, ' more'),
    );
    expect(texts(again)).toEqual(['One more', 'Two', 'Three']);
    expect(found).toEqual([]);
  });

  it('[JR25] whatever was changed, the same content under other names takes every change at its place', () => {
    const blocks = ['Some text', 'and more of it', '', 'and more of it', 'the end'];
    const read = (list: readonly WordBlock[]) => parseWordDocument(JSON.parse(wordDocumentText(list))).doc;
    const old = read(blocks);
    const now = read(
      blocks.map((text, at) =>
        text === '' ? { type: 'paragraph', attrs: { id: `q${at}` } } : renamed(`q${at}`, text),
      ),
    );
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 15 }), (draws) => {
        const { steps, doc } = edited(old, draws);
        const { map, identity } = alignDocuments(old, now);
        const placed = placeSteps({
          steps,
          later: [{ map, name: null }],
          document: now,
          isStored: () => false,
          translate: (json) => identity.translate(json),
        });
        expect(placed.lost).toEqual(new Set());
        expect(sameContent(placed.document, doc)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('[JR26] two versions are aligned so that what they share keeps its place', () => {
    const text = fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b') });
    const versions = fc.array(text, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(versions, versions, (olds, nows) => {
        const [old, now] = [docOf(olds, 'p'), docOf(nows, 'q')];
        const { map } = alignDocuments(old, now);
        for (let position = 0; position <= old.content.size; position++) {
          const { pos, deleted } = map.mapResult(position, 1);
          expect(pos).toBeLessThanOrEqual(now.content.size);
          if (deleted || position === old.content.size) continue;
          const [here, there] = [old.resolve(position), now.resolve(pos)];
          expect(there.depth).toBe(here.depth);
        }
        expect(map.map(old.content.size, 1)).toBe(now.content.size);
      }),
      { numRuns: 500 },
    );
  });
});

function docOf(paragraphs: readonly string[], letter: string): Node {
  const content = paragraphs.map((text, at) =>
    wordSchema.nodes.paragraph.create({ id: `${letter}${at}` }, text === '' ? [] : wordSchema.text(text)),
  );
  return wordSchema.nodes.doc.create(null, content);
}

/** The steps of random edits, as a session would send them, and the document after them. */
function edited(opened: Node, draws: readonly Draw[]) {
  const steps: NamedOperation<WordTypes>[] = [];
  let doc = opened;
  for (const one of draws) {
    for (const step of stepsOf(doc, one)) {
      const after = applyChange(doc, encodeChange('old', step));
      if (typeof after === 'string') break;
      doc = after;
      steps.push({ operation: step, name: { clientId: 'old', number: steps.length } });
    }
  }
  return { steps, doc };
}
