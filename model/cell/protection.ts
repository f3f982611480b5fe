import { type Area, areaOf, contains, sizeOf, touches, without } from './area.ts';
import { isInReach } from './bounds.ts';
import type { ItemOf } from './items.ts';
import type { CellOperation, ChangeItem, ChangeLines, PutItem, RemoveItem, SetBlock } from './operations.ts';
import { isProof, passwordCheckOf } from './protection-password.ts';
import { targetOf } from './structure-map.ts';
import { itemsOf, type Sheet, type SheetAct, sheetOf, type Workbook } from './workbook.ts';

/** Whether a sheet is one of cells: charts on sheets of their own, macros and dialogs of old are kept as the file has them. */
export const hasCells = ({ properties }: Sheet): boolean => (properties.type ?? 'cells') === 'cells';

/**
 * Whether the protection of sheets and of the workbook leaves an operation to people, on sheets that have cells. It is part of the rule by which
 * operations apply, so a page that knows nothing of it changes no more than others. Of `several` each part is judged for
 * itself. References in protected cells follow whatever happens elsewhere, and comments stay open to those who may comment.
 */
export function isLeftOpen(workbook: Workbook, operation: CellOperation): boolean {
  switch (operation.op) {
    case 'addSheet':
    case 'removeSheet':
    case 'restoreSheet':
    case 'moveSheet':
      return workbook.properties.protected !== true;
    case 'workbook': {
      const { patch, proof } = operation;
      if (patch.protected === undefined && patch.structureKey === undefined) return true;
      return workbook.properties.protected !== true || isOpened(workbook.properties.structureKey, proof);
    }
    case 'moveCells': {
      const { sheet, area, toSheet } = operation;
      if ([sheet, toSheet].some((id) => isKept(workbook, id))) return false;
      return isFreeIn(workbook, sheet, area) && isFreeIn(workbook, toSheet, targetOf(operation));
    }
    case 'several':
    case 'recalculate':
    case 'nothing':
      return true;
  }
  const sheet = operation.sheet === null ? undefined : sheetOf(workbook, operation.sheet);
  if (operation.op === 'sheet') {
    const { name, state, color, ...others } = operation.patch;
    const isOfBook = name !== undefined || state !== undefined || color !== undefined;
    if (isOfBook && workbook.properties.protected === true) return false;
    if (sheet && !hasCells(sheet)) return Object.keys(others).length === 0;
  }
  if (sheet && !hasCells(sheet)) return false;
  const { protection } = sheet?.properties ?? {};
  return !sheet || !protection || isAllowed(workbook, sheet, operation, new Set(protection.allows));
}

function isKept(workbook: Workbook, id: string): boolean {
  const sheet = sheetOf(workbook, id);
  return sheet !== undefined && !hasCells(sheet);
}

/** Whether a protection can be taken off or changed with a proof; without a password anybody does. */
function isOpened(extra: Readonly<Record<string, unknown>> | undefined, proof: string | undefined): boolean {
  const check = passwordCheckOf(extra);
  return check === null || isProof(proof, check);
}

type OfSheet = Exclude<
  CellOperation,
  {
    readonly op:
      | 'addSheet'
      | 'removeSheet'
      | 'restoreSheet'
      | 'moveSheet'
      | 'workbook'
      | 'moveCells'
      | 'several'
      | 'recalculate'
      | 'nothing';
  }
>;

/** Whether an operation on a protected sheet is one of those that its protection leaves. */
function isAllowed(
  workbook: Workbook,
  sheet: Sheet,
  operation: OfSheet,
  allows: ReadonlySet<SheetAct>,
): boolean {
  switch (operation.op) {
    case 'set':
      return areFree(
        workbook,
        sheet,
        operation.cells.map(([row, column]) => [row, column, row, column]),
      );
    case 'block':
      return isFreeForBlock(workbook, sheet, operation);
    case 'clear': {
      // Without its format a cell is locked.
      const isAllowedPart = operation.part === 'content' || allows.has('formatCells');
      // One that asks for too much is refused for that.
      return (
        isAllowedPart && (!isInReach(sheet, operation.areas) || areFree(workbook, sheet, operation.areas))
      );
    }
    case 'fill':
      return areFree(workbook, sheet, without(operation.to, operation.from));
    case 'format':
      return allows.has('formatCells') && operation.patch.protection === undefined;
    case 'insert':
      return !operation.band && allows.has(operation.axis === 'row' ? 'insertRows' : 'insertColumns');
    case 'delete': {
      const { axis, at, count, band } = operation;
      if (band || !allows.has(axis === 'row' ? 'deleteRows' : 'deleteColumns')) return false;
      return isFree(workbook, sheet, areaOf(axis, at, at + count - 1));
    }
    case 'move':
      return false;
    case 'sort': {
      const { axis, band, order } = operation;
      return (
        allows.has('sort') &&
        areFree(
          workbook,
          sheet,
          order.map((place) => areaOf(axis, place, place, ...band)),
        )
      );
    }
    case 'lines':
      return isAllowedForLines(operation, allows);
    case 'sheet': {
      const { protection, rowHeight, columnWidth } = operation.patch;
      if (protection !== undefined && !isOpened(sheet.properties.protection?.extra, operation.proof))
        return false;
      if (rowHeight !== undefined && !allows.has('formatRows')) return false;
      return columnWidth === undefined || allows.has('formatColumns');
    }
    case 'chart':
      return allows.has('objects');
    case 'put':
    case 'patch':
    case 'drop':
      return isAllowedForItem(operation, allows);
  }
}

function isAllowedForLines({ axis, patch, format }: ChangeLines, allows: ReadonlySet<SheetAct>): boolean {
  const { filtered, ...others } = patch;
  if (filtered !== undefined && !allows.has('filter')) return false;
  // A format could open cells that are locked.
  if (format !== undefined && (!allows.has('formatCells') || format?.protection?.locked === false))
    return false;
  return Object.keys(others).length === 0 || allows.has(axis === 'row' ? 'formatRows' : 'formatColumns');
}

/** A filter that is there can be used; none can be made or taken away. */
function isAllowedForItem(
  operation: PutItem | ChangeItem | RemoveItem,
  allows: ReadonlySet<SheetAct>,
): boolean {
  switch (operation.kind) {
    case 'comment':
      return true;
    case 'drawing':
      return allows.has('objects');
    case 'link':
      return allows.has('insertLinks');
    case 'pivot':
      return allows.has('pivots');
    case 'filter':
    case 'table': {
      if (operation.op !== 'patch' || !allows.has('filter')) return false;
      const own = operation.kind === 'filter' ? 'columns' : 'filter';
      return Object.keys(operation.patch).every((name) => name === own);
    }
    default:
      return false;
  }
}

function isFreeForBlock(workbook: Workbook, sheet: Sheet, { row, column, rows }: SetBlock): boolean {
  // There may be more rows than a call has room for arguments.
  const widest = rows.reduce((most, { length }) => Math.max(most, length), 1);
  if (isFree(workbook, sheet, [row, column, row + rows.length - 1, column + widest - 1])) return true;
  const cells = rows.flatMap((inputs, down) =>
    inputs.flatMap((input, right): Area[] => {
      const [r, c] = [row + down, column + right];
      return input === null ? [] : [[r, c, r, c]];
    }),
  );
  return areFree(workbook, sheet, cells);
}

function isFreeIn(workbook: Workbook, id: string, area: Area): boolean {
  const sheet = sheetOf(workbook, id);
  return !sheet?.properties.protection || isFree(workbook, sheet, area);
}

/** A range that a password, or Windows, opens for some is closed to all here. */
export const isOpenToAll = ({ extra }: ItemOf<'openRange'>): boolean =>
  passwordCheckOf(extra) === null && extra?.securityDescriptor === undefined;

/** What is looked at for one operation at most; where that is not enough its cells count as locked. All replicas count alike. */
const most = {
  /** Of areas with such as are open. */
  comparisons: 300_000_000,
  /** Of one area, by those that are open. */
  pieces: 5_000,
  /** Of all pieces together. */
  rows: 100_000_000,
};

/** Whether all cells of an area can be typed into although the sheet is protected. */
export const isFree = (workbook: Workbook, sheet: Sheet, area: Area): boolean =>
  areFree(workbook, sheet, [area]);

function areFree(workbook: Workbook, sheet: Sheet, areas: readonly Area[]): boolean {
  const open = [...itemsOf(sheet, 'openRange').values()].flatMap((range) =>
    isOpenToAll(range) ? range.areas : [],
  );
  if (open.length * areas.length > most.comparisons) return false;
  let rows = 0;
  return areas.every((area) => {
    const rest = outsideOf(area, open);
    rows += (rest?.length ?? 0) * Math.min(sheet.grid.height, area[2] - area[0] + 1);
    return rest !== null && rows <= most.rows && rest.every((one) => isUnlocked(workbook, sheet, one));
  });
}

/** An area without others; null where that is in too many pieces. */
function outsideOf(area: Area, others: readonly Area[]): readonly Area[] | null {
  if (sizeOf(area) === 1) return others.some((other) => contains(other, area)) ? [] : [area];
  let rest: readonly Area[] = [area];
  for (const other of others) {
    if (!touches(area, other)) continue;
    rest = rest.flatMap((one) => without(one, other));
    if (rest.length > most.pieces) return null;
  }
  return rest;
}

/** Whether no cell of an area is locked. Looks at what is kept, not at each cell. */
function isUnlocked({ formats }: Workbook, { grid, columns }: Sheet, [r1, c1, r2, c2]: Area): boolean {
  const isOpen = (format: number | undefined) => formats.at(format ?? 0).protection?.locked === false;
  // Cells that are not kept are as their column is.
  const closed: [first: number, last: number][] = [];
  let place = c1;
  for (const [first, count, { format }] of columns.between(c1, c2)) {
    if (first > place && !isOpen(0)) closed.push([place, first - 1]);
    if (!isOpen(format)) closed.push([first, first + count - 1]);
    place = first + count;
  }
  if (place <= c2 && !isOpen(0)) closed.push([place, c2]);
  let kept = 0;
  for (const [, { line, columns: at, cells }] of grid.rows(r1, r2)) {
    kept += 1;
    const own = new Set<number>();
    for (const [index, column] of at.entries()) {
      if (column < c1 || column > c2) continue;
      if (!isOpen(cells[index]!.format)) return false;
      own.add(column);
    }
    if (own.size === c2 - c1 + 1) continue;
    if (line.format !== undefined) {
      if (!isOpen(line.format)) return false;
    } else if (closed.some(([first, last]) => hasMoreThan(own, first, last))) return false;
  }
  return kept === r2 - r1 + 1 || closed.length === 0;
}

/** Whether some columns of a stretch are not among these. */
function hasMoreThan(own: ReadonlySet<number>, first: number, last: number): boolean {
  if (last - first + 1 > own.size) return true;
  for (let column = first; column <= last; column++) if (!own.has(column)) return true;
  return false;
}
