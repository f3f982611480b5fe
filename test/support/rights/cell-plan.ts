import { applyOperation, encodeChange } from '../../../model/cell/change.ts';
import { parseWorkbook, type WorkbookJson } from '../../../model/cell/document.ts';
import type { Item } from '../../../model/cell/items.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { RandomOperations } from '../../../model/cell/testing/random-operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { randomFrom } from '../fault-random.ts';
import { buildWorkbook } from '../workbook-fixture.ts';
import { type CellRestriction, judgeCells, stranger } from './cell-rights.ts';
import { stageKinds } from './grants.ts';
import type { RestrictedPlan } from './restricted-stage.ts';

const rows = Array.from(
  { length: 12 },
  (_, at) =>
    `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c><c r="B${at + 1}"><f>A${at + 1}*2</f><v>${at * 2}</v></c></row>`,
).join('');
const filter =
  '<autoFilter ref="A1:B12"><filterColumn colId="0"><filters><filter val="3"/></filters></filterColumn></autoFilter>';
/** A workbook with what rights are about: cells, formulas, a filter, a protected sheet with a range that is open, and a name. */
export const cellSource = buildWorkbook({
  sheets: [
    { rows, after: `${filter}<mergeCells count="1"><mergeCell ref="D1:E2"/></mergeCells>` },
    {
      rows,
      after:
        '<sheetProtection sheet="1"/><protectedRanges><protectedRange sqref="A1:A3" name="open"/></protectedRanges>',
    },
    { rows },
  ],
  after: '<definedNames><definedName name="Rate">Sheet1!$A$1</definedName></definedNames>',
});

const roleOf = { comment: 'commenter', review: 'reviewer', fill: 'filler', keep: 'keeper' } as const;

/** What somebody with a part of the rights does with a workbook. */
export function cellPlanOf(seed: number): RestrictedPlan {
  const random = randomFrom(seed);
  const right = (['comment', 'review', 'fill', 'keep'] as const)[Math.floor(random() * 4)]!;
  return {
    kind: stageKinds.cell,
    role: roleOf[right],
    source: cellSource,
    judge: (file) => judgeCells(right, cellSource, file),
    changesOf: (model, author) => {
      const operations = new RandomOperations(random, author);
      let workbook = parseWorkbook(model as WorkbookJson);
      return Array.from({ length: 1 + operations.below(6) }, (_, number) => {
        const operation = deed(operations, workbook, right, author);
        const after = applyOperation(workbook, operation);
        if (typeof after !== 'string') workbook = after;
        return encodeChange(author, operation, number);
      });
    },
  };
}

/** Something that an editor could do; of who is kept from rules, nothing by which these move lawfully. */
function deed(
  operations: RandomOperations,
  workbook: Workbook,
  right: CellRestriction,
  author: string,
): CellOperation {
  const sheet = operations.pick(workbook.sheets);
  const act = operations.pick([
    () => operations.set(workbook),
    () => rule(operations, sheet.id),
    () => comment(operations, sheet.id, author),
    () => (right === 'keep' ? operations.set(workbook) : operations.other(workbook)),
    () => (right === 'keep' ? rule(operations, sheet.id) : operations.structure(workbook)),
  ]);
  const operation = act();
  return operations.below(5) === 0
    ? { op: 'several', operations: [operation, act()].filter(isSingle) }
    : operation;
}

const isSingle = ({ op }: CellOperation): boolean => op !== 'several';

/** What protects or filters, or takes that away. */
function rule(operations: RandomOperations, sheet: string): CellOperation {
  const item = (kind: 'filter' | 'openRange', id: string, fields: object | null): CellOperation =>
    fields === null ? { op: 'drop', sheet, kind, id } : { op: 'put', sheet, kind, id, item: fields as Item };
  return operations.pick<CellOperation>([
    { op: 'sheet', sheet, patch: { protection: null } },
    { op: 'sheet', sheet, patch: { protection: { allows: ['sort'] } } },
    { op: 'workbook', patch: { protected: true } },
    { op: 'lines', sheet, axis: 'row', spans: [[1, 3]], patch: { filtered: true } },
    item('filter', 'f1', null),
    item('filter', operations.id(), { area: [0, 0, 5, 1], columns: [{ column: 0, values: ['1'] }] }),
    item('openRange', 'r1', null),
    item('openRange', operations.id(), { areas: [[0, 0, 99, 9]], name: 'mine' }),
    { op: 'patch', sheet, kind: 'filter', id: 'f1', patch: { columns: [] } },
    { op: 'patch', sheet, kind: 'openRange', id: 'r1', patch: { areas: [[0, 0, 99, 9]] } },
  ]);
}

/** A comment in the own name, or in that of somebody else. */
const comment = (operations: RandomOperations, sheet: string, author: string): CellOperation => ({
  ...{ op: 'put', sheet, kind: 'comment', id: operations.id() },
  item: {
    ...{ cell: [operations.below(9), operations.below(4)], date: null, text: operations.marker() },
    author: operations.pick([`Name of ${author}`, stranger]),
  },
});
