import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { deleteSelection } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { type Command, EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { canJoin, Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { WordWorld } from '../../client/testing/word-world.ts';
import { localSteps } from '../../client/word/local-steps.ts';
import { wholeFields } from '../../client/word/whole-fields.ts';
import type { WordSession } from '../../client/word/word-session.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { settle } from '../../editor/word/review/tracking/settle.ts';
import { track } from '../../editor/word/review/tracking/track.ts';
import { applyChanges, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { FieldPairs, isBare } from '../../model/word/fields/field-pairs.ts';
import { placeFields } from '../../model/word/fields/placed-fields.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import {
  fieldCode,
  fieldEnd,
  fieldHead,
  fieldParagraph,
  fieldRun,
  fieldSeparate,
  fieldStart,
} from '../support/field-documents.ts';
import { fieldsOf } from '../support/field-reader.ts';
import { changesOf, draw } from './random-edits.ts';

type Piece = 'text' | 'break' | 'open' | 'ask' | 'close' | 'link' | 'table';

const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('text' as const) },
  { weight: 5, arbitrary: fc.constant('break' as const) },
  { weight: 3, arbitrary: fc.constant('open' as const) },
  { weight: 2, arbitrary: fc.constant('ask' as const) },
  { weight: 3, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('link' as const) },
  { weight: 1, arbitrary: fc.constant('table' as const) },
);

/** A body of paragraphs with fields, nested (in instructions, too) and over several of them, around a table or none. */
function bodyOf(pieces: readonly Piece[]): string {
  let body = '';
  let content = '';
  let depth = 0;
  const close = () => {
    body += fieldParagraph(content);
    content = '';
  };
  for (const [at, one] of [...pieces, 'break' as const].entries()) {
    if (one === 'text') content += fieldRun(`w${at}`);
    else if (one === 'break') close();
    else if (one === 'open' && depth < 3) {
      depth += 1;
      content += fieldHead(`F${at}`);
    } else if (one === 'ask' && depth < 3) {
      depth += 1;
      content += fieldStart(`A${at}`) + fieldHead(`B${at}`) + fieldCode(`b${at}`);
      // Within one paragraph the field would be one node.
      if (at % 3 > 0) close();
      content += fieldCode('c') + fieldEnd + fieldCode('d') + fieldSeparate;
    } else if (one === 'close' && depth > 0) {
      depth -= 1;
      content += fieldEnd;
    } else if (one === 'link') {
      content += `<w:hyperlink w:anchor="a">${fieldHead(`L${at}`)}${fieldRun(`l${at}`)}</w:hyperlink>`;
      depth += 1;
    } else if (one === 'table') {
      close();
      const cell = `<w:tc><w:tcPr/>${fieldParagraph(fieldHead(`C${at}`), fieldRun(`c${at}`))}${fieldParagraph(fieldRun(`d${at}`), fieldEnd)}</w:tc>`;
      body += `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr>${cell}</w:tr></w:tbl>`;
    }
  }
  return body + fieldParagraph(fieldEnd.repeat(depth), fieldRun('last'));
}

const body = fc.array(piece, { minLength: 4, maxLength: 24 }).map(bodyOf);

/** What our page shows of a document, without what is struck. */
function pageText(doc: Node): string {
  let text = '';
  doc.descendants((node) => {
    if (node.marks.some(({ type }) => type.name === 'del')) return;
    if (node.isText) text += node.text;
    else if (node.attrs.kind === 'field') text += node.attrs.label;
  });
  return text.replace(/\s/g, '');
}

/** The file that a log makes of a base shows all text that our page shows. */
function checkFile(base: Uint8Array, changes: readonly string[]): Node {
  const { doc } = applyChanges(openDocx(base).doc, changes);
  const { bytes } = assembleDocx(base, changes);
  const { isBalanced, paragraphs } = fieldsOf(strFromU8(unzipSync(bytes)['word/document.xml']!));
  expect(isBalanced).toBe(true);
  expect(paragraphs.join('').replace(/\s/g, '')).toBe(pageText(doc));
  return doc;
}

/** A position by a share: of the lower half beside something of a field, of the upper half anywhere. */
function placeOf(doc: Node, part: number): number {
  const beside: number[] = [];
  doc.descendants((node, position) => {
    if (isBare(node)) beside.push(position, position + 1);
  });
  if (part >= 0.5 || beside.length === 0) return Math.floor((part % 0.5) * 2 * doc.content.size);
  return beside[Math.floor(part * 2 * beside.length)]!;
}

/** Any change that a client could send, at the characters of fields more often than elsewhere. */
function anyChanges(opened: Node, deeds: readonly Deed[]): string[] {
  const changes: string[] = [];
  let doc = opened;
  for (const { kind, places } of deeds) {
    const [one, other, third] = places.map((part) => placeOf(doc, part));
    const [from, to] = [Math.min(one!, other!), Math.max(one!, other!)];
    const transform = new Transform(doc);
    try {
      EDITS[kind % EDITS.length]!(transform, from, to, third!);
    } catch (error) {
      if (!REFUSALS.has((error as Error).name)) throw error;
    }
    doc = transform.doc;
    changes.push(...transform.steps.map((step) => encodeChange('any', step)));
  }
  return changes;
}

const EDITS: readonly ((tr: Transform, from: number, to: number, third: number) => unknown)[] = [
  (tr, from) => tr.insert(from, wordSchema.text('typed')),
  (tr, from) => tr.insert(from, wordSchema.text('typed')),
  (tr, from) => tr.delete(from, from + 1),
  (tr, from, to) => tr.delete(from, to),
  (tr, from, to, third) => tr.replace(third, third, tr.doc.slice(from, to)),
  (tr, from, _to, third) => tr.insert(third, tr.doc.nodeAt(from)!),
  (tr, from) => tr.split(from),
  (tr, from) => canJoin(tr.doc, from) && tr.join(from),
  (tr, from, to) => tr.addMark(from, to, wordSchema.marks.del.create({ author: 'Me' })),
  (tr, from, to) => tr.removeMark(from, to, wordSchema.marks.del),
];

const revision = { author: 'Me', date: '2026-01-02T03:04:05Z' };

interface Deed {
  readonly user: number;
  readonly kind: number;
  readonly places: readonly [number, number, number];
  readonly deliver: readonly number[];
}

/** Evenly spread: doubles of fast-check are next to 0 and 1 more often than not. */
const share = fc.noBias(fc.nat(9_999)).map((part) => part / 10_000);
const deed: fc.Arbitrary<Deed> = fc.record({
  user: fc.nat(2),
  kind: fc.noBias(fc.nat(999)),
  places: fc.tuple(share, share, share),
  deliver: fc.array(fc.nat(50), { maxLength: 8 }),
});

type Doing = (state: EditorState, dispatch: (transaction: Transaction) => void, third: number) => unknown;

const asCommand =
  (command: Command): Doing =>
  (state, dispatch) =>
    command(state, dispatch);

const settleHere =
  (decision: 'accept' | 'reject'): Doing =>
  (state, dispatch) => {
    const { tr, selection } = state;
    settle(tr, decision, { from: selection.from, to: selection.to });
    dispatch(tr);
  };

const DOINGS: readonly Doing[] = [
  asCommand(deleteSelection),
  asCommand(deleteSelection),
  (state, dispatch) => dispatch(state.tr.insertText('new')),
  (state, dispatch) => dispatch(state.tr.insertText('x', state.selection.from)),
  (state, dispatch) => dispatch(state.tr.split(state.selection.from)),
  (state, dispatch) => {
    const [first, second] = [state.selection.$from.before(1), state.selection.$to.after(1)];
    dispatch(state.tr.delete(first, second));
  },
  (state, dispatch, third) => dispatch(state.tr.replaceRange(third, third, state.selection.content())),
  (state, dispatch, third) => {
    const moved = state.selection.content();
    const tr = state.tr.deleteSelection();
    const at = tr.mapping.map(third);
    dispatch(tr.replaceRange(at, at, moved));
  },
  (state, dispatch) => {
    const { tr } = state;
    dispatch(track(state, tr.deleteSelection(), { revision, removesBlocks: false }));
  },
  settleHere('accept'),
  settleHere('reject'),
  asCommand(undo),
  asCommand(undo),
  asCommand(redo),
];

const REFUSALS = new Set(['RangeError', 'ReplaceError', 'TransformError']);

function act(session: Pick<WordSession, 'state' | 'dispatch'>, { kind, places }: Deed): void {
  const { doc } = session.state;
  const [one, other, third] = places.map((part) => placeOf(doc, part));
  const selection = TextSelection.between(doc.resolve(one!), doc.resolve(other!));
  session.dispatch(session.state.tr.setSelection(selection));
  try {
    DOINGS[kind % DOINGS.length]!(session.state, (transaction) => session.dispatch(transaction), third!);
  } catch (error) {
    // The schema has no place for it there.
    if (!REFUSALS.has((error as Error).name)) throw error;
  }
}

describe('fields under whatever people do', () => {
  it('[FD14] a file of any log has its fields whole and shows all text that our page shows', () => {
    fc.assert(
      fc.property(
        body,
        fc.array(deed, { maxLength: 12 }),
        fc.array(draw, { maxLength: 6 }),
        (xml, deeds, draws) => {
          const base = buildDocx({ body: xml });
          const { doc } = openDocx(base);
          checkFile(base, anyChanges(doc, deeds));
          checkFile(base, changesOf(doc, draws));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('[FD8] one person leaves every field whole, whatever the command', () => {
    fc.assert(
      fc.property(body, fc.array(deed, { maxLength: 25 }), (xml, deeds) => {
        const { json, doc } = parseWordDocument(
          JSON.parse(JSON.stringify(openDocx(buildDocx({ body: xml })).model())),
        );
        const pairs = new FieldPairs(doc, json.fields ?? []);
        const desk = {
          state: EditorState.create({ doc, plugins: [history(), wholeFields(pairs)] }),
          dispatch: (transaction: Transaction) => {
            desk.state = desk.state.apply(transaction);
          },
        };
        for (const one of deeds) {
          act(desk, one);
          const { stray } = placeFields(desk.state.doc, pairs);
          expect(stray.map(({ position }) => position)).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('[FD15] people who delete, move, copy, track and undo at once agree, and so does the file', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.array(deed, { maxLength: 25 }), async (xml, deeds) => {
        const base = buildDocx({ body: xml });
        const world = new WordWorld([]);
        world.files.set('http://files.test/Editor.bin', JSON.stringify(openDocx(base).model()));
        const people: WordSession[] = [];
        for (const name of ['ann', 'bob', 'cem'])
          people.push(await world.open(name, { plugins: () => [history()] }));
        for (const one of deeds) {
          act(people[one.user]!, one);
          for (const pick of one.deliver) {
            world.network.deliverOne(pick);
            await Promise.resolve();
          }
        }
        for (let round = 0; round < 20 && people.some(({ state }) => localSteps(state).length > 0); round++) {
          await world.pass(1_000);
        }
        await world.pass(1_000);
        const doc = checkFile(base, world.changes);
        for (const { state } of people) expect(state.doc.toJSON()).toEqual(doc.toJSON());
        for (const { client } of people) client.abort();
      }),
      { numRuns: 60 },
    );
  });
});
