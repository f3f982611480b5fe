import fc from 'fast-check';
import { Mark, type Node } from 'prosemirror-model';
import { AddMarkStep, RemoveMarkStep, Step } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { type MarkPart, MarkSet, stepFromJson } from './mark-set.ts';
import { wordSchema } from './schema.ts';

const { nodes, marks } = wordSchema;

const some: readonly Mark[] = [
  marks.bold.create({ on: true }),
  marks.bold.create({ on: false }),
  marks.italic.create({ on: true }),
  marks.size.create({ halfPoints: 20 }),
  marks.size.create({ halfPoints: 40 }),
  marks.highlight.create({ color: 'yellow' }),
];
const run = fc.record({ text: fc.constantFrom('', 'a', 'bc', 'def'), set: fc.subarray([...some]) });
const paragraph = fc.array(run, { maxLength: 5 }).map((runs) =>
  nodes.paragraph.create(
    null,
    runs.map(({ text, set }) => {
      const all = set.reduce((known, mark) => mark.addToSet(known), Mark.none);
      return text === '' ? nodes.tab.create(null, null, all) : wordSchema.text(text, all);
    }),
  ),
);
const table = fc.array(paragraph, { minLength: 1, maxLength: 3 }).map((cells) => {
  const row = cells.map((one) => nodes.table_cell.create(null, one));
  return nodes.table.create(null, nodes.table_row.create(null, row));
});
const document = fc
  .array(fc.oneof({ weight: 3, arbitrary: paragraph }, table), { minLength: 1, maxLength: 5 })
  .map((blocks) => nodes.doc.create(null, blocks));
const parts = fc.array(
  fc.record({ adds: fc.boolean(), one: fc.nat(), other: fc.nat(), mark: fc.constantFrom(...some) }),
  { maxLength: 12 },
);

const placed = (doc: Node, given: { adds: boolean; one: number; other: number; mark: Mark }[]): MarkPart[] =>
  given.map(({ adds, one, other, mark }) => {
    const [a, b] = [one % (doc.content.size + 1), other % (doc.content.size + 1)];
    return { adds, mark, from: Math.min(a, b), to: Math.max(a, b) };
  });

describe('many changes of marks as one step', () => {
  it('[EW49] does what its parts do one after the other, on every replica of any version', () => {
    fc.assert(
      fc.property(document, parts, (doc, given) => {
        const all = placed(doc, given);
        let expected = doc;
        for (const { adds, from, to, mark } of all)
          expected = new (adds ? AddMarkStep : RemoveMarkStep)(from, to, mark).apply(expected).doc!;
        const step = new MarkSet(all);
        const after = step.apply(doc).doc!;
        expect(after.eq(expected)).toBe(true);
        after.check();
        const json = JSON.parse(JSON.stringify(step));
        expect(stepFromJson(json).apply(doc).doc!.eq(expected)).toBe(true);
        expect(Step.fromJSON(wordSchema, json).apply(doc).doc!.eq(expected)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('[EW49] is taken back without a trace, and put again', () => {
    fc.assert(
      fc.property(document, parts, (doc, given) => {
        const step = new MarkSet(placed(doc, given));
        const after = step.apply(doc).doc!;
        const back = step.invert(doc);
        expect(back.apply(after).doc!.eq(doc)).toBe(true);
        expect(back.invert(after).apply(doc).doc!.eq(after)).toBe(true);
        expect(back.parts.every(({ from, to }) => from < to)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('[EW49] leaves blocks that it does not change the same', () => {
    const bold = [marks.bold.create({ on: true })];
    const doc = nodes.doc.create(null, [
      nodes.paragraph.create(null, wordSchema.text('one')),
      nodes.paragraph.create(null, wordSchema.text('two', bold)),
      nodes.paragraph.create(null, wordSchema.text('three')),
    ]);
    const step = new MarkSet([{ adds: true, from: 0, to: 10, mark: bold[0]! }]);
    const after = step.apply(doc).doc!;
    expect(after.children.map((child, at) => child === doc.child(at))).toEqual([false, true, true]);
    expect(step.invert(doc).parts).toEqual([{ adds: false, from: 1, to: 4, mark: bold[0] }]);
    expect(new MarkSet([{ adds: true, from: 0, to: 99, mark: bold[0]! }]).apply(doc).failed).not.toBeNull();
  });
});
