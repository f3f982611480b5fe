import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { fixTables } from 'prosemirror-tables';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { openDocx } from '../../../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { encodeChange } from '../../../../model/word/change.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { FileRevisions } from './file-revisions.ts';
import type { Decision } from './revision.ts';
import { settle } from './settle.ts';

type Mark = 'cellIns' | 'cellDel' | `cellMerge ${string}` | null;
type Merge = 'restart' | 'continue' | undefined;

interface FixtureCell {
  readonly text: string;
  readonly span?: number;
  readonly mark?: Mark;
  readonly merge?: Merge;
}

const by = 'w:author="Ann" w:date="2024-01-01T00:00:00Z"';

function tableXml(rows: readonly (readonly FixtureCell[])[], widths: readonly number[]): string {
  let id = 0;
  const cellXml = ({ text, span = 1, mark, merge }: FixtureCell) =>
    `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}` +
    `${merge ? `<w:vMerge w:val="${merge}"/>` : ''}${mark ? `<w:${mark} w:id="${++id}" ${by}/>` : ''}</w:tcPr>` +
    `<w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const rowXml = (cells: readonly FixtureCell[]) => `<w:tr>${cells.map(cellXml).join('')}</w:tr>`;
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  return `<w:p/><w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${rows.map(rowXml).join('')}</w:tbl><w:p/>`;
}

class Review {
  readonly #bytes: Uint8Array;
  readonly #revisions: FileRevisions;
  readonly tr: Transform;

  constructor(rows: readonly (readonly FixtureCell[])[], widths: readonly number[]) {
    this.#bytes = buildDocx({ body: tableXml(rows, widths) });
    const { doc, model } = openDocx(this.#bytes);
    this.#revisions = new FileRevisions(model());
    this.tr = new Transform(doc);
  }

  all(decision: Decision): this {
    settle(this.tr, decision, { from: 0, to: this.tr.doc.content.size, fileRevisions: this.#revisions });
    return this;
  }

  /** Settles one of the changes that are left. */
  one(decision: Decision, which: number): void {
    const left = this.#revisions.within(this.tr.doc, 0, this.tr.doc.content.size);
    if (left.length === 0) return;
    const { position, node } = left[which % left.length]!;
    const range = { from: position, to: position + node.nodeSize };
    settle(this.tr, decision, { ...range, fileRevisions: this.#revisions });
  }

  isRegular(): boolean {
    return fixTables(EditorState.create({ doc: this.tr.doc })) === undefined;
  }

  /** What is written, and the rows of it when it is opened again. */
  written(): { xml: string; rows: string[][]; changes: number } {
    const changes = this.tr.steps.map((step) => encodeChange('c', step));
    const { bytes, skipped } = assembleDocx(this.#bytes, changes);
    expect(skipped).toEqual([]);
    const { doc, model } = openDocx(bytes);
    const xml = strFromU8(unzipSync(bytes)['word/document.xml']!);
    return { xml, rows: rowsOf(doc), changes: model().revisions?.length ?? 0 };
  }
}

/** The texts of cells, without those that stand for columns that a row leaves out. */
function rowsOf(doc: Node): string[][] {
  const table = doc.children.find(({ type }) => type === wordSchema.nodes.table);
  return (table?.children ?? []).map((row) =>
    row.children.filter(({ attrs }) => !/^g[0-9a-z]+$/.test(attrs.id)).map((cell) => cell.textContent),
  );
}

const cells = (...texts: readonly string[]): FixtureCell[] =>
  texts.map((text) => {
    const mark = text.startsWith('-') ? 'cellDel' : text.startsWith('+') ? 'cellIns' : null;
    return { text, mark };
  });
const gridOf = (xml: string) =>
  [...xml.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
const widths = [1500, 3000, 2250];

describe('cells that go', () => {
  const rows = [cells('a', '-b', 'c'), cells('d', 'e', '+f')];

  it('[TB8] leave shorter rows, in the table that is edited and in the file', () => {
    const accepted = new Review(rows, widths).all('accept');
    expect(accepted.isRegular()).toBe(true);
    expect(accepted.written()).toMatchObject({
      rows: [
        ['a', 'c'],
        ['d', 'e', '+f'],
      ],
      changes: 0,
    });
    expect(accepted.written().xml.match(/<w:gridAfter w:val="1"\/>/g)).toHaveLength(1);
    const rejected = new Review(rows, widths).all('reject');
    expect(rejected.isRegular()).toBe(true);
    expect(rejected.written()).toMatchObject({
      rows: [
        ['a', '-b', 'c'],
        ['d', 'e'],
      ],
      changes: 0,
    });
  });

  it('[TB8] take their column along when all of it goes, together or one after the other', () => {
    const column = [cells('a', '-b', 'c'), cells('d', '-e', 'f'), cells('g', '-h', 'i')];
    const left = [
      ['a', 'c'],
      ['d', 'f'],
      ['g', 'i'],
    ];
    const { xml, rows: written } = new Review(column, widths).all('accept').written();
    expect(written).toEqual(left);
    expect(gridOf(xml)).toEqual([1500, 2250]);
    expect(xml).not.toContain('gridAfter');
    const single = new Review(column, widths);
    for (const which of [1, 0, 0]) single.one('accept', which);
    expect(single.isRegular()).toBe(true);
    expect(single.written().rows).toEqual(left);
    expect(gridOf(single.written().xml)).toHaveLength(2);
    expect(single.written().xml).not.toContain('gridAfter');
  });

  it('[TB8] take their row along when all of it goes, and the table with its last row', () => {
    const one = [cells('-a', '-b'), cells('c', 'd')];
    const each = new Review(one, [1500, 1500]);
    for (const which of [0, 0]) each.one('accept', which);
    expect(each.written().rows).toEqual([['c', 'd']]);
    expect(new Review(one, [1500, 1500]).all('accept').written().rows).toEqual([['c', 'd']]);
    const shorter = [cells('-a'), cells('-b', 'c')];
    expect(new Review(shorter, [1500, 1500]).all('accept').written().rows).toEqual([['c']]);
    const { xml } = new Review([cells('+a', '+b')], [1500, 1500]).all('reject').written();
    expect(xml).not.toContain('<w:tbl>');
  });

  it('[TB8] become cells again when something is written into their place', () => {
    const review = new Review(rows, widths).all('accept');
    let place = -1;
    review.tr.doc.descendants((node, position) => {
      if (node.type.name === 'table_cell' && node.content.size === 2 && place < 0) place = position;
    });
    review.tr.insert(place + 2, wordSchema.text('new'));
    const { xml, rows: written } = review.written();
    expect(written[0]).toEqual(['a', 'c', 'new']);
    expect(xml).not.toMatch(/<w:cellDel|gridAfter/);
  });

  it('[TB8] leave an empty cell where one that spans rows is in the way', () => {
    const spanned = [
      [...cells('a', '-b'), { text: 'c', merge: 'restart' as const }],
      [...cells('d', 'e'), { text: '', merge: 'continue' as const }],
    ];
    const review = new Review(spanned, widths).all('accept');
    expect(review.isRegular()).toBe(true);
    expect(review.written().rows).toEqual([
      ['a', '', 'c'],
      ['d', 'e'],
    ]);
  });

  it('[TB8] take the table with them where its rows leave out all other columns', () => {
    const wide = { text: '+b', span: 2, mark: 'cellIns' as const };
    const review = new Review([cells('+a'), [wide]], [600, 900]);
    review.one('reject', 1);
    expect(review.written().rows).toEqual([['+a']]);
    review.one('reject', 0);
    expect(review.written()).toMatchObject({ rows: [], changes: 0 });
  });

  it('[TB8] are gone in any table, in any order, and what is left is opened again', () => {
    const mark = fc.constantFrom<Mark>(null, null, 'cellIns', 'cellDel');
    const row = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), mark), { minLength: 1, maxLength: 4 });
    const order = fc.array(fc.nat(20), { maxLength: 5 });
    const decisions = fc.constantFrom<Decision>('accept', 'reject');
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        order,
        decisions,
        (spans, singly, decision) => {
          let name = 0;
          const table = spans.map((one) =>
            one.map(([span, kind]) => ({ text: `t${++name}`, span, mark: kind })),
          );
          const width = Math.max(...table.map((one) => one.reduce((sum, { span }) => sum + span, 0)));
          const review = new Review(
            table,
            Array.from({ length: width }, (_, index) => 600 + 300 * index),
          );
          const [before] = [review.written().rows];
          for (const which of singly) {
            review.one(decision, which);
            expect(review.isRegular()).toBe(true);
          }
          review.all(decision);
          const went = decision === 'accept' ? 'cellDel' : 'cellIns';
          const left = table
            .map((one) => one.filter((cell) => cell.mark !== went).map(({ text }) => text))
            .filter((one) => one.length > 0);
          expect(before.flat()).toHaveLength(name);
          expect(review.isRegular()).toBe(true);
          expect(review.written()).toMatchObject({ rows: left, changes: 0 });
        },
      ),
    );
  });

  it('[TB9] stay where only a merge of them is tracked, as the file has them', () => {
    const merged = fc.constantFrom<Merge>(undefined, 'restart', 'continue');
    const tracked = fc.constantFrom<Mark>(
      null,
      'cellMerge w:vMerge="rest"',
      'cellMerge w:vMerge="cont"',
      'cellMerge w:vMerge="cont" w:vMergeOrig="rest"',
      'cellMerge w:vMergeOrig="cont"',
    );
    const row = fc.array(fc.tuple(merged, tracked), { minLength: 3, maxLength: 3 });
    const decisions = fc.constantFrom<Decision>('accept', 'reject');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), decisions, (all, decision) => {
        const table = (isTracked: boolean) =>
          all.map((one, row) =>
            one.map(([merge, mark], column) => ({
              ...{ text: `t${row}${column}`, merge: row === 0 && merge ? ('restart' as const) : merge },
              mark: isTracked ? mark : null,
            })),
          );
        const review = new Review(table(true), widths).all(decision);
        const { xml, rows: left, changes } = review.written();
        expect(review.isRegular()).toBe(true);
        expect({ left, changes }).toEqual({
          left: new Review(table(false), widths).written().rows,
          changes: 0,
        });
        expect(xml).not.toContain('cellMerge');
      }),
    );
  });
});
