import { type Area, areaOf, contains, lastOf, spanOf, touches } from '../../../model/cell/area.ts';
import { applyOperation } from '../../../model/cell/change.ts';
import type { BlockInput, CellOperation, SetBlock } from '../../../model/cell/operations.ts';
import { targetOf } from '../../../model/cell/structure-map.ts';
import { itemsOf, type Sheet, sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { notify } from '../../kit/notices.tsx';
import { texts } from '../../strings/en/pivots.ts';
import { addLaterTexts, t } from '../../strings/strings.ts';
import { type CellPosition, isIn } from '../grid/cell-areas.ts';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/pivots.ts'),
  ar: () => import('../../strings/ar/pivots.ts'),
});

/** Cells of a sheet. */
interface SheetArea {
  readonly sheet: string;
  readonly area: Area;
}

const pivotsOf = (sheet: Sheet | undefined): readonly Area[] =>
  sheet ? [...itemsOf(sheet, 'pivot').values()].map(({ area }) => area) : [];

function tell(key: 'inPivot' | 'pivotChanged' | 'pivotTorn'): void {
  notify({ text: t(`pivots.${key}`), kind: 'warning', topic: 'sheet-pivot' });
}

/** Who types into a pivot table is told that programs which fill it anew put something else there. */
export function tellOfTyping(sheet: Sheet, cell: CellPosition): void {
  if (pivotsOf(sheet).some((area) => isIn(cell, area))) tell('inPivot');
}

/** Whoever puts something else into cells of a pivot table is told the same, whatever it was done by. */
export function tellOfPivots(workbook: Workbook, operations: readonly CellOperation[]): void {
  for (const [operation, current] of inTurn(workbook, operations)) {
    const isChanged = writtenAreas(operation).some(({ sheet, area }) =>
      pivotsOf(sheetOf(current, sheet)).some((pivot) => touches(area, pivot)),
    );
    if (!isChanged) continue;
    tell('pivotChanged');
    return;
  }
}

/** Whether operations would move, put in or take out a part of a pivot table, which is said. */
export function refusesTearing(workbook: Workbook, operations: readonly CellOperation[]): boolean {
  for (const [operation, current] of inTurn(workbook, operations)) {
    if (!('sheet' in operation) || operation.sheet === null) continue;
    if (!pivotsOf(sheetOf(current, operation.sheet)).some((pivot) => tears(operation, pivot))) continue;
    tell('pivotTorn');
    return true;
  }
  return false;
}

/** What takes cells to other places. */
const movers: ReadonlySet<CellOperation['op']> = new Set(['insert', 'delete', 'move', 'moveCells']);

/** Each operation with the workbook that it is made on, where that has pivot tables and as far as the ones before it can be made. */
function* inTurn(
  workbook: Workbook,
  operations: readonly CellOperation[],
): Generator<readonly [CellOperation, Workbook]> {
  if (!workbook.sheets.some((sheet) => itemsOf(sheet, 'pivot').size > 0)) return;
  let current = workbook;
  for (const [at, operation] of operations.entries()) {
    yield [operation, current];
    if (at === operations.length - 1 || !movers.has(operation.op)) continue;
    const next = applyOperation(current, operation);
    if (typeof next === 'string') return;
    current = next;
  }
}

function tears(operation: CellOperation, pivot: Area): boolean {
  const isPartOf = (area: Area) => touches(area, pivot) && !contains(area, pivot);
  switch (operation.op) {
    case 'insert': {
      const { axis, at, band = [] } = operation;
      return isPartOf(areaOf(axis, at, lastOf(axis), ...band));
    }
    case 'delete': {
      const { axis, at, count, band = [] } = operation;
      const next = at + count;
      const isMoved = next <= lastOf(axis) && isPartOf(areaOf(axis, next, lastOf(axis), ...band));
      return isMoved || isPartOf(areaOf(axis, at, next - 1, ...band));
    }
    case 'move': {
      const { axis, at, count, to } = operation;
      const [first, last] = spanOf(pivot, axis);
      const lines = areaOf(axis, at, at + count - 1);
      return isPartOf(lines) || (to > first && to <= last && !contains(lines, pivot));
    }
    case 'moveCells':
      return isPartOf(operation.area);
    default:
      return false;
  }
}

/** The cells that get something else to hold, or nothing any more. */
function writtenAreas(operation: CellOperation): SheetArea[] {
  switch (operation.op) {
    case 'set': {
      const { sheet, cells } = operation;
      return cells.flatMap(([row, column, input]) =>
        holds(input) ? [{ sheet, area: [row, column, row, column] as const }] : [],
      );
    }
    case 'block':
      return blockAreas(operation);
    case 'fill':
      return operation.part === 'format' ? [] : [{ sheet: operation.sheet, area: operation.to }];
    case 'clear': {
      const { sheet, part, areas } = operation;
      return part === 'format' ? [] : areas.map((area) => ({ sheet, area }));
    }
    case 'sort': {
      const { sheet, axis, band, order } = operation;
      return order.map((line) => ({ sheet, area: areaOf(axis, line, line, ...band) }));
    }
    case 'moveCells':
      return [{ sheet: operation.toSheet, area: targetOf(operation) }];
    case 'several':
      return operation.operations.flatMap(writtenAreas);
    default:
      return [];
  }
}

/** Whether a cell gets something to hold, and not only another look. */
const holds = (input: BlockInput): boolean =>
  input !== null && (typeof input !== 'object' || input.v !== undefined || input.f !== undefined);

/** The parts of a block's rows that are written, each from its first cell to its last. */
const blockAreas = ({ sheet, row, column, rows }: SetBlock): SheetArea[] =>
  rows.flatMap((inputs, down) => {
    const first = inputs.findIndex(holds);
    if (first < 0) return [];
    const last = inputs.findLastIndex(holds);
    return [{ sheet, area: [row + down, column + first, row + down, column + last] as const }];
  });
