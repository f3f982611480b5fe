import { strFromU8, unzipSync } from 'fflate';
import { deleteSelection } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { wholeFields } from '../../client/word/whole-fields.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { positionOf } from '../../converter/engines/ooxml/docx/testing/docx-edit.ts';
import { settle } from '../../editor/word/review/tracking/settle.ts';
import { track } from '../../editor/word/review/tracking/track.ts';
import { applyChanges, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { FieldPairs } from '../../model/word/fields/field-pairs.ts';
import { placeFields } from '../../model/word/fields/placed-fields.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import {
  contentsField,
  fieldEnd,
  fieldHead,
  fieldParagraph,
  fieldRun,
  fieldStart,
  selectTexts,
} from '../support/field-documents.ts';
import { fieldsOf } from '../support/field-reader.ts';

const nested = [
  fieldParagraph(fieldRun('Start')),
  fieldParagraph(fieldHead('TOC'), fieldRun('Zero')),
  fieldParagraph(fieldHead('HYPERLINK'), fieldRun('One')),
  fieldParagraph(fieldRun('more'), fieldEnd, fieldRun(' of it')),
  fieldParagraph(fieldRun('Two'), fieldEnd, fieldRun('tail')),
  fieldParagraph(fieldRun('Stop')),
].join('');

/** A person at a document, whose every step is written down as it is sent. */
class Desk {
  readonly base: Uint8Array;
  readonly pairs: FieldPairs;
  readonly changes: string[] = [];
  state: EditorState;

  constructor(body: string) {
    this.base = buildDocx({ body });
    const { json, doc } = parseWordDocument(JSON.parse(JSON.stringify(openDocx(this.base).model())));
    this.pairs = new FieldPairs(doc, json.fields ?? []);
    this.state = EditorState.create({ doc, plugins: [history(), wholeFields(this.pairs)] });
  }

  dispatch = (given: Transaction): void => {
    const { state, transactions } = this.state.applyTransaction(given);
    this.state = state;
    for (const { steps } of transactions)
      for (const step of steps) this.changes.push(encodeChange('desk', step));
  };

  select(first: string, last: string): this {
    this.state = selectTexts(this.state, first, last);
    return this;
  }

  /** Deletes whole blocks. */
  drop(first: number, count = 1): void {
    const [from, to] = this.span(first, count);
    this.dispatch(this.state.tr.delete(from, to));
  }

  span(first: number, count: number): [number, number] {
    const starts: number[] = [];
    this.state.doc.forEach((_block, offset) => void starts.push(offset));
    return [starts[first]!, starts[first + count] ?? this.state.doc.content.size];
  }

  get isWhole(): boolean {
    return placeFields(this.state.doc, this.pairs).stray.length === 0;
  }

  get fieldCount(): number {
    return placeFields(this.state.doc, this.pairs).whole.length;
  }

  get texts(): string[] {
    return this.state.doc.children.map((block) => block.textContent);
  }

  /** The text with parentheses where fields begin and end, and a bar before their results. */
  get look(): string {
    const signs: Record<string, string> = { begin: '(', separate: '|', end: ')' };
    const look = (node: Node): string =>
      node.isText
        ? node.text!
        : this.pairs
            .of(node)
            .map(({ type }) => signs[type])
            .join('') + node.children.map(look).join('');
    return this.state.doc.children.map(look).join('/');
  }
}

const revision = { author: 'Me', date: '2026-01-02T03:04:05Z' };
const tracking = { revision, removesBlocks: false };

it('[FD1] very many fields in the instructions of each other share what the page shows of those', () => {
  const count = 30_000;
  const heads = `${fieldStart('IF')}${fieldRun('y')}`.repeat(count);
  const { doc, model } = openDocx(
    buildDocx({ body: fieldParagraph(heads) + fieldParagraph(fieldEnd.repeat(count)) }),
  );
  const { whole, stray } = placeFields(doc, new FieldPairs(doc, model().fields ?? []));
  expect({ whole: whole.length, stray: stray.length }).toEqual({ whole: count, stray: 0 });
  expect(whole[1]!.shownInstruction).toBe('yy');
  expect(whole.at(-1)!.source.instruction).toHaveLength(count);
});

describe('keeping fields whole', () => {
  it.each([
    ['begins in', 1, 'Before/(|Two/)/After'],
    ['ends in', 3, 'Before/(|One/Two)/After'],
  ])('[FD8] a paragraph that a field %s is deleted, and the field stays', (_where, block, look) => {
    const desk = new Desk(contentsField);
    desk.drop(block);
    expect(desk.look).toBe(look);
  });

  it('[FD8] a selection over the beginning or the end of a field takes the text, not the half', () => {
    const over = new Desk(contentsField).select('fore', 'On');
    deleteSelection(over.state, over.dispatch);
    expect(over.look).toBe('Be(|e/Two/)/After');
    const end = new Desk(contentsField).select('wo', 'Af');
    deleteSelection(end.state, end.dispatch);
    expect(end.look).toBe('Before/(|One/T)ter');
  });

  it('[FD8] what is typed or pasted over one half stands outside of the field', () => {
    const begin = new Desk(contentsField).select('fore', 'On');
    begin.dispatch(begin.state.tr.insertText('typed'));
    expect(begin.look).toBe('Betyped(|e/Two/)/After');
    const end = new Desk(contentsField).select('wo', 'Af');
    end.dispatch(end.state.tr.insertText('typed'));
    expect(end.look).toBe('Before/(|One/T)typedter');
  });

  it('[FD8] of nested fields each keeps its halves, in order', () => {
    const ends = new Desk(nested).select('re', 'tai');
    deleteSelection(ends.state, ends.dispatch);
    expect(ends.look).toBe('Start/(|Zero/(|One/mo))l/Stop');
    const begins = new Desk(nested).select('art', 'O');
    deleteSelection(begins.state, begins.dispatch);
    expect(begins.look).toBe('St(|(|ne/more) of it/Two)tail/Stop');
  });

  it('[FD8] the character between instruction and result stays, and what is typed over it is seen', () => {
    const body =
      fieldParagraph(fieldHead('TOC').replace('<w:r><w:fldChar w:fldCharType="separate"/></w:r>', '')) +
      fieldParagraph('<w:r><w:fldChar w:fldCharType="separate"/></w:r>', fieldRun('One')) +
      fieldParagraph(fieldEnd);
    const desk = new Desk(body);
    const at = positionOf(desk.state.doc, 'One');
    desk.dispatch(desk.state.tr.insertText('T', at - 1, at + 1));
    expect(desk.look).toBe('(/|Tne/)');
  });

  it('[FD8] the end of a field in a cell stays in the cell', () => {
    const grid = '<w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid>';
    const inside = fieldParagraph(fieldHead('TOC'), fieldRun('One')) + fieldParagraph(fieldEnd);
    const table = `<w:tbl>${grid}<w:tr><w:tc><w:tcPr/>${inside}</w:tc></w:tr></w:tbl>`;
    const desk = new Desk(table + fieldParagraph(fieldRun('After')));
    const end = positionOf(desk.state.doc, 'One') + 4;
    desk.dispatch(desk.state.tr.delete(end, end + desk.state.doc.nodeAt(end)!.nodeSize));
    expect(desk.look).toBe('(|One)/After');
  });

  it('[FD9] a field of which nothing is left to see goes as a whole', () => {
    const desk = new Desk(contentsField).select('fore', 'Two');
    deleteSelection(desk.state, desk.dispatch);
    expect(desk.look).toBe('Be//After');
    const all = new Desk(contentsField);
    all.drop(1, 2);
    expect(all.look).toBe('Before//After');
  });

  it('[FD9] nobody notices where a field is deleted with both halves', () => {
    const desk = new Desk(contentsField);
    desk.drop(1, 3);
    expect(desk.look).toBe('Before/After');
    expect(desk.changes).toHaveLength(1);
  });

  it('[FD10] of a copy a half is not put in, and a whole field is', () => {
    const paste = (desk: Desk, from: number, to: number) => {
      const { doc } = desk.state;
      const end = positionOf(doc, 'After') + 5;
      desk.dispatch(desk.state.tr.replaceRange(end, end, doc.slice(from, to)));
    };
    const half = new Desk(contentsField);
    paste(half, ...half.span(1, 2));
    expect(half.look).toBe('Before/(|One/Two/)/After/One/Two');
    const whole = new Desk(contentsField);
    paste(whole, ...whole.span(1, 3));
    expect(whole.look.replace(/\/$/, '')).toBe('Before/(|One/Two/)/After/(|One/Two/)');
    expect(whole.fieldCount).toBe(2);
  });

  it('[FD11] a half stays where it is when the text beside it is moved, and a whole field moves', () => {
    const half = new Desk(contentsField);
    const [from, to] = half.span(1, 1);
    const moved = half.state.doc.slice(from, to);
    const down = half.state.tr.delete(from, to);
    half.dispatch(down.insert(down.doc.content.size, moved.content));
    expect(half.look).toBe('Before/(|Two/)/After/One');

    const whole = new Desk(contentsField);
    const [start, end] = whole.span(1, 3);
    const field = whole.state.doc.slice(start, end);
    const up = whole.state.tr.delete(start, end);
    whole.dispatch(up.insert(0, field.content));
    expect(whole.look).toBe('(|One/Two/)/Before/After');
  });

  it('[FD11] a paragraph that a command puts in its own place keeps its halves where they were', () => {
    const desk = new Desk(contentsField);
    const [from, to] = desk.span(1, 1);
    desk.dispatch(desk.state.tr.replace(from, to, desk.state.doc.slice(from, to)));
    expect(desk.look).toBe('Before/(|One/Two/)/After');
  });

  it('[FD12] a tracked deletion over one half leaves it as it is; accepted or rejected, the field is whole', () => {
    for (const decision of ['accept', 'reject'] as const) {
      const desk = new Desk(contentsField).select('fore', 'On');
      deleteSelection(desk.state, (tr) => desk.dispatch(track(desk.state, tr, tracking)));
      expect(desk.isWhole).toBe(true);
      const { tr } = desk.state;
      settle(tr, decision, { from: 0, to: tr.doc.content.size });
      desk.dispatch(tr);
      expect(desk.look).toBe(decision === 'accept' ? 'Be(|e/Two/)/After' : 'Before/(|One/Two/)/After');
      let struck = 0;
      desk.state.doc.descendants(({ marks }) => {
        struck += marks.length;
      });
      expect(struck).toBe(0);
    }
  });

  it.each([
    ['the beginning', 'fore', 'On'],
    ['the end', 'wo', 'Af'],
    ['all that is seen of it', 'fore', 'Two'],
    ['all of it', 'fore', 'Aft'],
  ])('[FD12] a reviewer who strikes %s may do all that comes of it', (_what, first, last) => {
    const desk = new Desk(contentsField).select(first, last);
    const base = desk.state.doc;
    deleteSelection(desk.state, (tr) => desk.dispatch(track(desk.state, tr, tracking)));
    const author = { name: 'Me', may: ['review'] as const };
    const entries = desk.changes.map((change) => ({ change, author }));
    const { doc, skipped } = applyChanges(base, entries);
    expect(skipped).toEqual([]);
    expect(doc.eq(desk.state.doc)).toBe(true);
  });

  it('[FD12] a field whose whole result is struck is struck with both halves', () => {
    const desk = new Desk(contentsField).select('fore', 'Two');
    deleteSelection(desk.state, (tr) => desk.dispatch(track(desk.state, tr, tracking)));
    const { tr } = desk.state;
    settle(tr, 'accept', { from: 0, to: tr.doc.content.size });
    desk.dispatch(tr);
    expect(desk.fieldCount).toBe(0);
    expect(desk.isWhole).toBe(true);
  });

  it('[FD12] a deletion of a field that is accepted bit by bit leaves the field until the last bit', () => {
    const desk = new Desk(contentsField);
    const [from, to] = desk.span(1, 3);
    desk.dispatch(track(desk.state, desk.state.tr.delete(from, to), tracking));
    const first = desk.state.tr;
    settle(first, 'accept', { from, to: positionOf(desk.state.doc, 'One') + 3 });
    desk.dispatch(first);
    expect(desk.isWhole).toBe(true);
    expect(desk.fieldCount).toBe(1);
    const rest = desk.state.tr;
    settle(rest, 'accept', { from: 0, to: rest.doc.content.size });
    desk.dispatch(rest);
    expect(desk.isWhole).toBe(true);
    expect(desk.fieldCount).toBe(0);
  });

  it.each([
    ['a paragraph with one half', 1, 1],
    ['what a field shows', 1, 2],
    ['a whole field', 1, 3],
  ])(
    '[FD13] undo brings back %s with its halves where they were, and redo takes it again',
    (_what, first, count) => {
      const desk = new Desk(contentsField);
      const before = desk.state.doc;
      desk.drop(first, count);
      const after = desk.state.doc;
      undo(desk.state, desk.dispatch);
      expect(desk.state.doc.eq(before)).toBe(true);
      redo(desk.state, desk.dispatch);
      expect(desk.state.doc.eq(after)).toBe(true);
      undo(desk.state, desk.dispatch);
      expect(assembleDocx(desk.base, desk.changes).bytes).toEqual(Buffer.from(desk.base));
    },
  );

  it('[FD13] what a person does is written as it is seen', () => {
    const desk = new Desk(nested);
    desk.drop(3);
    desk.drop(0);
    const { bytes } = assembleDocx(desk.base, desk.changes);
    const xml = strFromU8(unzipSync(bytes)['word/document.xml']!);
    expect(fieldsOf(xml)).toEqual({ isBalanced: true, paragraphs: desk.texts });
  });

  it('[FD8] a document of before the model told of fields is left as it is', () => {
    const { doc } = openDocx(buildDocx({ body: contentsField }));
    const pairs = new FieldPairs(doc, []);
    const state = EditorState.create({ doc, plugins: [wholeFields(pairs)] });
    const { transactions } = state.applyTransaction(
      state.tr.delete(0, doc.child(0).nodeSize + doc.child(1).nodeSize),
    );
    expect(transactions).toHaveLength(1);
  });
});
