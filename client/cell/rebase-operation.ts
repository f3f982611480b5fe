import {
  type Area,
  type Axis,
  acrossOf,
  areaOf,
  boundsOf,
  lastColumn,
  lastOf,
  lastRow,
  sizeOf,
  spanOf,
} from '../../model/cell/area.ts';
import type { FormatPatch } from '../../model/cell/cell-format.ts';
import { type ChartChange, withoutChanged } from '../../model/cell/chart-change.ts';
import { changeChartChange, changePlaces } from '../../model/cell/item-places.ts';
import type { Item, ItemOf } from '../../model/cell/items.ts';
import { inParts } from '../../model/cell/operation-parts.ts';
import {
  type CellInput,
  type CellOperation,
  type Clear,
  commonOf,
  type DeleteLines,
  type FormatCells,
  type InsertLines,
  type MoveLines,
  type OperationNamed,
  type SetBlock,
  type SetCells,
  type Sort,
} from '../../model/cell/operations.ts';
import { itemsOf } from '../../model/cell/workbook.ts';
import { cellsOfBlock } from './block-cells.ts';
import { type CellMapping, joinedSpans, largest } from './cell-mapping.ts';
import type { Effect, WrittenPart } from './effects.ts';
import { FormulaMapping, type SheetNames, unmoved } from './formula-mapping.ts';
import { rebaseBlock } from './rebase-block.ts';
import { rebaseMoveCells } from './rebase-move-cells.ts';

export interface RebaseContext {
  readonly mapping: CellMapping;
  readonly others: readonly Effect[];
  readonly names: SheetNames;
}

/**
 * What an operation that does one thing becomes behind those of others: none where its place is gone, several where it fell apart. The very same
 * where nothing changes. One that takes something back gives way to what the others have written.
 */
export function rebaseOperation(operation: CellOperation, context: RebaseContext): readonly CellOperation[] {
  const { mapping } = context;
  switch (operation.op) {
    case 'set':
      return rebaseSet(operation, context);
    case 'block':
      return rebaseBlock(operation, context) ?? rebaseSet(asSet(operation), context);
    case 'clear':
    case 'format':
      return rebaseAreas(operation, mapping);
    case 'fill':
      return rebaseFill(operation, context);
    case 'insert':
      return rebaseInsert(operation, mapping);
    case 'delete':
      return rebaseDelete(operation, mapping);
    case 'move':
      return rebaseMove(operation, mapping);
    case 'moveCells':
      return rebaseMoveCells(operation, mapping);
    case 'sort':
      return rebaseSort(operation, mapping);
    case 'lines': {
      const { sheet, axis, spans } = operation;
      const unless = operation.undo && axis;
      if (mapping.isIdle(unless)) return [operation];
      const next = joinedSpans(
        spans.flatMap(([from, to]) => mapping.spans(sheet, axis, from, to, unless ? { unless } : {})),
      );
      return inParts(next).map((part) => ({ ...operation, spans: part }));
    }
    case 'put':
    case 'patch':
    case 'drop':
      return rebaseItem(operation, context);
    case 'chart':
      return rebaseChart(operation, context);
    case 'removeSheet': {
      const isUsed = context.others.some(({ written }) =>
        written.some(({ sheet }) => sheet === operation.sheet),
      );
      return operation.undo && isUsed ? [] : [operation];
    }
    case 'sheet':
    case 'workbook': {
      if (!operation.undo) return [operation];
      const patched = context.others.flatMap(({ operation: other }) =>
        other.op === operation.op && sheetOf(other) === sheetOf(operation)
          ? Object.keys((other as typeof operation).patch)
          : [],
      );
      return patchWithout(operation, patched);
    }
    default:
      return [operation];
  }
}

const sheetOf = (operation: CellOperation): string | null => ('sheet' in operation ? operation.sheet : null);

/** An operation that patches, without some of the fields. */
function patchWithout<Patching extends CellOperation & { readonly patch: object }>(
  operation: Patching,
  fields: readonly string[],
): readonly CellOperation[] {
  const left = Object.entries(operation.patch).filter(([name]) => !fields.includes(name));
  if (left.length === 0) return [];
  if (left.length === Object.keys(operation.patch).length) return [operation];
  return [{ ...operation, patch: Object.fromEntries(left) as FormatPatch } as CellOperation];
}

type Cells = SetCells['cells'][number];

/** Each cell is followed by itself. Cells that are in other sheets now are set by operations of their own. */
function rebaseSet(
  operation: OperationNamed<'set'>,
  { mapping, names }: RebaseContext,
): readonly CellOperation[] {
  const formulas = new FormulaMapping(mapping, names);
  const { sheet, cells, undo } = operation;
  if (formulas.isIdle && (!undo || (mapping.isIdle('content') && mapping.isIdle('format'))))
    return [operation];
  const bySheet = new Map<string, Cells[]>();
  for (const [row, column, input] of cells) {
    const place: Area = [row, column, row, column];
    const left = undo
      ? withoutWritten(input, (unless) => mapping.area(sheet, place, { unless }).length === 0)
      : input;
    const [found] = mapping.area(sheet, place);
    if (!found || !left) continue;
    const at = { from: sheet, to: found.sheet, rows: found.rows, columns: found.columns };
    const next = left.f === undefined ? left : { ...left, f: formulas.json(left.f, at) };
    const list = bySheet.get(found.sheet) ?? [];
    list.push([found.area[0], found.area[1], next]);
    bySheet.set(found.sheet, list);
  }
  return [...bySheet].map(([to, list]) => ({ ...operation, sheet: to, cells: list }));
}

/** What of an input others have not written since; null: nothing. */
function withoutWritten(input: CellInput, isWritten: (part: WrittenPart) => boolean): CellInput | null {
  const { v, f, s } = input;
  const content = (v !== undefined || f !== undefined) && !isWritten('content');
  const format = s !== undefined && !isWritten('format');
  if (!content && !format) return null;
  return {
    ...(content && v !== undefined ? { v } : {}),
    ...(content && f !== undefined ? { f } : {}),
    ...(format ? { s: s! } : {}),
  };
}

/** A block cell by cell. */
const asSet = ({
  rows,
  row,
  column,
  ...rest
}: OperationNamed<'block'> & SetBlock): OperationNamed<'set'> => ({
  ...rest,
  op: 'set',
  cells: [...cellsOfBlock({ rows, row, column })],
});

function rebaseAreas(
  operation: (OperationNamed<'clear'> | OperationNamed<'format'>) & (Clear | FormatCells),
  mapping: CellMapping,
): readonly CellOperation[] {
  const written = operation.op === 'format' ? 'format' : 'content';
  const unless = operation.undo ? (written as WrittenPart) : undefined;
  if (mapping.isIdle(unless)) return [operation];
  const bySheet = new Map<string, Area[]>();
  const add = (sheet: string, areas: readonly Area[]) => {
    const all = bySheet.get(sheet) ?? [];
    bySheet.set(sheet, all);
    all.push(...areas);
  };
  for (const area of operation.areas) {
    const [r1, c1, r2, c2] = area;
    const axis: Axis | null =
      r1 === 0 && r2 === lastRow ? 'column' : c1 === 0 && c2 === lastColumn ? 'row' : null;
    // What takes something back is about cells alone.
    if (axis && !unless) {
      const spans = mapping.spans(operation.sheet, axis, ...spanOf(area, axis));
      if (spans.length > 0)
        add(
          operation.sheet,
          spans.map(([from, to]) => areaOf(axis, from, to)),
        );
      continue;
    }
    for (const region of mapping.area(operation.sheet, area, unless ? { unless } : {}))
      add(region.sheet, [region.area]);
  }
  return [...bySheet].flatMap(([sheet, areas]) =>
    inParts(areas).map((part) => ({ ...operation, sheet, areas: part })),
  );
}

/** Where what is filled has fallen apart, each part is filled: the cells still are copies of the same ones. */
function rebaseFill(operation: OperationNamed<'fill'>, { mapping }: RebaseContext): readonly CellOperation[] {
  if (mapping.isIdle()) return [operation];
  const { sheet, from, to } = operation;
  const source = largest(mapping.area(sheet, from).filter((region) => region.sheet === sheet));
  if (!source || sizeOf(source.area) !== sizeOf(from)) return [];
  return mapping
    .area(sheet, to)
    .filter((region) => region.sheet === sheet)
    .map(({ area }) => ({ ...operation, from: source.area, to: area }));
}

/** The line before which something stands that stood before a line; null: there is nothing left to tell by. */
function lineBefore(mapping: CellMapping, sheet: string, axis: Axis, at: number): number | null {
  const [same] = at <= lastOf(axis) ? mapping.spans(sheet, axis, at, at) : [];
  if (same) return same[0];
  const [before] = at > 0 ? mapping.spans(sheet, axis, at - 1, at - 1) : [];
  if (before) return before[1] + 1;
  const after = at < lastOf(axis) ? mapping.spans(sheet, axis, at + 1, lastOf(axis)) : [];
  if (after.length > 0) return after[0]![0];
  const earlier = at > 1 ? mapping.spans(sheet, axis, 0, at - 2) : [];
  return earlier.length > 0 ? earlier.at(-1)![1] + 1 : null;
}

function rebaseInsert(
  operation: OperationNamed<'insert'> & InsertLines,
  mapping: CellMapping,
): readonly CellOperation[] {
  if (mapping.isIdle()) return [operation];
  const { sheet, axis, at, count, band } = operation;
  if (!band) {
    const line = lineBefore(mapping, sheet, axis, at);
    return line === null || line + count - 1 > lastOf(axis) ? [] : [{ ...operation, at: line }];
  }
  for (const [line, behind] of [
    [at, 0],
    [at - 1, 1],
  ] as const) {
    if (line < 0) continue;
    const found = mapping.area(sheet, areaOf(axis, line, line, ...band));
    if (found.length === 0) continue;
    const parts = found.flatMap((region): CellOperation[] => {
      const next = spanOf(region.area, axis)[0] + behind;
      if (next + count - 1 > lastOf(axis)) return [];
      return [{ ...operation, sheet: region.sheet, at: next, band: spanOf(region.area, acrossOf(axis)) }];
    });
    return asOne(parts.toSorted((one, other) => lineOf(other) - lineOf(one)));
  }
  return [];
}

const lineOf = (operation: CellOperation): number => (operation.op === 'insert' ? operation.at : 0);

/** From the last to the first, so that none moves another. */
function rebaseDelete(
  operation: OperationNamed<'delete'> & DeleteLines,
  mapping: CellMapping,
): readonly CellOperation[] {
  const unless = operation.undo && ('content' as const);
  if (mapping.isIdle(unless)) return [operation];
  const { sheet, axis, at, count, band } = operation;
  const options = unless ? { unless } : {};
  const parts = band
    ? mapping
        .area(sheet, areaOf(axis, at, at + count - 1, ...band), { ...options, lines: axis })
        .map((region) => ({
          sheet: region.sheet,
          span: spanOf(region.area, axis),
          band: spanOf(region.area, acrossOf(axis)),
        }))
    : mapping
        .spans(sheet, axis, at, at + count - 1, options)
        .map((span) => ({ sheet, span, band: undefined }));
  const deletions = parts
    .toSorted((one, other) => other.span[0] - one.span[0])
    .map((part): CellOperation => {
      const { band: _band, ...rest } = operation;
      const [from, to] = part.span;
      const line = { sheet: part.sheet, at: from, count: to - from + 1 };
      return part.band ? { ...rest, ...line, band: part.band } : { ...rest, ...line };
    });
  return asOne(deletions);
}

/** What was one change stays one. */
function asOne(operations: readonly CellOperation[]): readonly CellOperation[] {
  if (operations.length < 2) return operations;
  const parts = operations.map(({ when: _when, region: _region, ...rest }) => rest as CellOperation);
  return [{ op: 'several', operations: parts, ...commonOf(operations[0]!) }];
}

function rebaseMove(
  operation: OperationNamed<'move'> & MoveLines,
  mapping: CellMapping,
): readonly CellOperation[] {
  if (mapping.isIdle()) return [operation];
  const { sheet, axis, at, count } = operation;
  // One that moved nothing must not begin to, or what was made behind it would be elsewhere.
  if (operation.to >= at && operation.to <= at + count) return [];
  const spans = mapping.spans(sheet, axis, at, at + count - 1);
  const span = spans.reduce<readonly [number, number] | null>(
    (best, one) => (best && best[1] - best[0] >= one[1] - one[0] ? best : one),
    null,
  );
  const to = lineBefore(mapping, sheet, axis, operation.to);
  if (!span || to === null || (to >= span[0] && to <= span[1] + 1)) return [];
  return [{ ...operation, at: span[0], count: span[1] - span[0] + 1, to }];
}

/** Lines that came between keep their place; those that are gone are left out. */
function rebaseSort(
  operation: OperationNamed<'sort'> & Sort,
  mapping: CellMapping,
): readonly CellOperation[] {
  if (mapping.isIdle()) return [operation];
  const { sheet, axis, band, order } = operation;
  const next: number[] = [];
  let across: readonly [number, number] | null = null;
  for (const place of order) {
    const found = mapping.area(sheet, areaOf(axis, place, place, ...band));
    if (found.length === 0) continue;
    const bounds = boundsOf(found.map(({ area }) => area))!;
    const [from, to] = spanOf(bounds, axis);
    const [first, last] = spanOf(bounds, acrossOf(axis));
    const fits = from === to && found.every((region) => region.sheet === sheet);
    if (!fits || (across && (across[0] !== first || across[1] !== last))) return [];
    across = [first, last];
    next.push(from);
  }
  return across && next.length > 1 && new Set(next).size === next.length
    ? [{ ...operation, band: across, order: next }]
    : [];
}

/** What is taken back of a chart leaves what others have changed of it; references go where their cells are. */
function rebaseChart(
  operation: OperationNamed<'chart'>,
  { mapping, others, names }: RebaseContext,
): readonly CellOperation[] {
  const { op, sheet, id, when: _when, region: _region, undo, ...given } = operation;
  let change: ChartChange | null = given;
  if (undo) {
    for (const { operation: other } of others) {
      const isOfDrawing = other.op === 'chart' || ('kind' in other && other.kind === 'drawing');
      if (!isOfDrawing || other.id !== id || other.sheet !== sheet) continue;
      if (other.op === 'chart') change = change && withoutChanged(change, other);
      else if (other.op !== 'patch' || 'chart' in other.patch) change = null;
    }
    if (!change) return [];
  }
  const formulas = new FormulaMapping(mapping, names);
  const next = formulas.isIdle
    ? change
    : changeChartChange(change, (text) => formulas.text(text, unmoved(sheet)));
  if (next === given) return [operation];
  return [{ op, sheet, id, ...next, ...commonOf(operation) }];
}

/** The cells by which a change of a table or a filter counts columns, where it does not say so itself. */
function countedIn(operation: ItemOperation, { before }: SheetNames): Area | null {
  const { op, kind, sheet, id } = operation;
  if (op !== 'patch' || sheet === null || (kind !== 'table' && kind !== 'filter')) return null;
  const { patch } = operation;
  const isCounted = 'columns' in patch || 'filter' in patch || 'sorted' in patch;
  if (!isCounted || 'area' in patch) return null;
  const of = before.sheets.find((one) => one.id === sheet);
  return (of && itemsOf(of, kind).get(id)?.area) ?? null;
}

/** Columns that others call otherwise keep that name, whatever else becomes of their table. */
function withNamedColumns<Fielded extends object>(
  given: Fielded,
  sheet: string,
  id: string,
  { named }: FormulaMapping,
): Fielded {
  if (!('columns' in given)) return given;
  const columns = named.columns(sheet, id, given.columns as ItemOf<'table'>['columns']);
  return columns === given.columns ? given : { ...given, columns };
}

type ItemOperation = OperationNamed<'put'> | OperationNamed<'patch'> | OperationNamed<'drop'>;

function rebaseItem(
  operation: ItemOperation,
  { mapping, others, names }: RebaseContext,
): readonly CellOperation[] {
  const { sheet, kind, id } = operation;
  let next: ItemOperation = operation;
  if (operation.undo) {
    const about = others.flatMap(({ operation: other }): (ItemOperation | OperationNamed<'chart'>)[] => {
      if (other.op === 'chart')
        return kind === 'drawing' && other.sheet === sheet && other.id === id ? [other] : [];
      if (other.op !== 'put' && other.op !== 'patch' && other.op !== 'drop') return [];
      if (other.sheet !== sheet || other.kind !== kind) return [];
      return other.id === id || (other.op === 'put' && (other.item as { parent?: string }).parent === id)
        ? [other]
        : [];
    });
    if (about.length > 0) {
      if (operation.op !== 'patch' || about.some(({ op }) => op !== 'patch' && op !== 'chart')) return [];
      const fields = about.flatMap((other) => {
        if (other.op === 'chart') return ['chart'];
        return other.op === 'patch' ? Object.keys(other.patch) : [];
      });
      const [left] = patchWithout(operation, fields);
      if (!left) return [];
      next = left as ItemOperation;
    }
  }
  if (next.op === 'drop') return [next];
  const formulas = new FormulaMapping(mapping, names);
  if (formulas.isIdle) return [next];
  let to = sheet;
  const given = next.op === 'put' ? next.item : next.patch;
  const area = countedIn(next, names);
  const named = kind === 'table' && sheet !== null ? withNamedColumns(given, sheet, id, formulas) : given;
  const fields = area ? { ...named, area } : named;
  const scope = sheet ?? (fields as { scope?: string | null }).scope ?? null;
  const placed = changePlaces(kind, fields as Item | Record<string, unknown>, {
    area: (area) => {
      const found = sheet === null ? [] : mapping.area(sheet, area, { isReference: kind !== 'comment' });
      const [first] = found;
      if (!first) return null;
      to = first.sheet;
      return boundsOf(found.filter((region) => region.sheet === first.sheet).map((region) => region.area))!;
    },
    formula: (text) => formulas.text(text, unmoved(scope)),
  });
  if (!placed) return [];
  if (placed === given && to === sheet) return [next];
  if (area) delete (placed as { area?: Area }).area;
  return [
    next.op === 'put'
      ? { ...next, sheet: to, item: placed as Item }
      : { ...next, sheet: to, patch: placed as Record<string, unknown> },
  ];
}
