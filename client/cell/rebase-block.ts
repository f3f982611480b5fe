import { type Area, sizeOf } from '../../model/cell/area.ts';
import type { FormulaJson } from '../../model/cell/formula/formula.ts';
import type {
  BlockInput,
  CellInput,
  CellOperation,
  OperationNamed,
  SetBlock,
} from '../../model/cell/operations.ts';
import type { CellMapping } from './cell-mapping.ts';
import { FormulaMapping, type SheetNames } from './formula-mapping.ts';

type Block = OperationNamed<'block'> & SetBlock;
type Rows = SetBlock['rows'];

/** Cells of a block that keep together, and where they are now. */
interface Piece {
  /** Rows and columns of the block, counted from its first. */
  readonly of: Area;
  readonly sheet: string;
  readonly area: Area;
}

/** A block that falls into more pieces goes on cell by cell. */
const mostPieces = 64;

/**
 * What a block becomes behind what others have done: the very same, or blocks of cells that keep together. Null where its cells do
 * not: each is to be followed by itself.
 */
export function rebaseBlock(
  operation: Block,
  { mapping, names }: { readonly mapping: CellMapping; readonly names: SheetNames },
): readonly CellOperation[] | null {
  const formulas = new FormulaMapping(mapping, names);
  const { undo, rows } = operation;
  const givesWay = undo && !(mapping.isIdle('content') && mapping.isIdle('format'));
  if (formulas.isIdle && !givesWay) return [operation];
  const has = contentsOf(rows);
  if (mapping.isIdle() && !givesWay && !has.formulas) return [operation];
  // What gives way to others does so with contents and looks apart.
  const pieces = mapping.keepsOrder && !(undo && has.formats) ? piecesOf(operation, mapping) : null;
  return (
    pieces?.flatMap((piece): CellOperation[] => {
      const given = partOf(rows, piece.of);
      const left = undo ? unwritten(operation, piece, given, mapping) : given;
      if (left.length === 0) return [];
      const { sheet, area } = piece;
      const place = { from: operation.sheet, to: sheet, rows: 0, columns: 0 };
      const next =
        formulas.isIdle || !has.formulas ? left : withFormulas(left, (f) => formulas.json(f, place));
      const [row, column] = area;
      const isThere = sheet === operation.sheet && row === operation.row && column === operation.column;
      return [isThere && next === rows ? operation : { ...operation, sheet, row, column, rows: next }];
    }) ?? null
  );
}

const isInput = (input: BlockInput): input is CellInput => typeof input === 'object' && input !== null;
const hasFormula = (input: BlockInput): input is CellInput & { readonly f: FormulaJson } =>
  isInput(input) && input.f !== undefined;
const hasFormat = (input: BlockInput): boolean => isInput(input) && input.s !== undefined;

interface Contents {
  readonly formulas: boolean;
  readonly formats: boolean;
}

/** Found once: a block that takes something back is looked at with every change of others. */
const knownContents = new WeakMap<Rows, Contents>();

/** Whether there are formulas, or looks, in a block. */
function contentsOf(rows: Rows): Contents {
  const known = knownContents.get(rows);
  if (known) return known;
  const found = {
    formulas: rows.some((inputs) => inputs.some(hasFormula)),
    formats: rows.some((inputs) => inputs.some(hasFormat)),
  };
  knownContents.set(rows, found);
  return found;
}

/** The parts of a block that keep together; null where they are too many. */
function piecesOf(block: Block, mapping: CellMapping): readonly Piece[] | null {
  const { rows } = block;
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 0);
  const pieces: Piece[] = [];
  const waiting: Area[] = rows.length > 0 && width > 0 ? [[0, 0, rows.length - 1, width - 1]] : [];
  for (let of = waiting.pop(); of; of = waiting.pop()) {
    const found = mapping.area(block.sheet, placed(block, of));
    const [whole] = found;
    if (!whole) continue;
    const isTogether = found.length === 1 && isAsLarge(whole.area, of);
    if (!isTogether && !isOneCell(of)) {
      waiting.push(...halvesOf(of, found));
      continue;
    }
    const piece = { of, sheet: whole.sheet, area: whole.area };
    const last = pieces.at(-1);
    const joint = last && joined(last, piece);
    if (joint) pieces[pieces.length - 1] = joint;
    else pieces.push(piece);
    if (pieces.length > mostPieces) return null;
  }
  return pieces;
}

/** Where a part of a block was in its sheet. */
const placed = ({ row, column }: Block, [r1, c1, r2, c2]: Area): Area => [
  row + r1,
  column + c1,
  row + r2,
  column + c2,
];

const isOneCell = ([r1, c1, r2, c2]: Area): boolean => r1 === r2 && c1 === c2;

const isAsLarge = (one: Area, other: Area): boolean =>
  one[2] - one[0] === other[2] - other[0] && one[3] - one[1] === other[3] - other[1];

/** The second half of a part, and then the first. @param found where its cells are now */
function halvesOf([r1, c1, r2, c2]: Area, found: readonly { readonly area: Area }[]): readonly Area[] {
  // Regions that are as high as the part stand beside each other.
  const isBeside = found.every(({ area }) => area[2] - area[0] === r2 - r1);
  if (r1 === r2 || (isBeside && c2 > c1)) {
    const middle = (c1 + c2) >> 1;
    return [
      [r1, middle + 1, r2, c2],
      [r1, c1, r2, middle],
    ];
  }
  const middle = (r1 + r2) >> 1;
  return [
    [middle + 1, c1, r2, c2],
    [r1, c1, middle, c2],
  ];
}

/** Two pieces as one, where the second goes on below or behind the first, in the block and now; null where it does not. */
function joined(one: Piece, next: Piece): Piece | null {
  if (one.sheet !== next.sheet) return null;
  for (const put of [below, beside]) {
    const [of, area] = [put(one.of, next.of), put(one.area, next.area)];
    if (of && area) return { sheet: one.sheet, of, area };
  }
  return null;
}

const below = (one: Area, next: Area): Area | null =>
  one[1] === next[1] && one[3] === next[3] && one[2] + 1 === next[0]
    ? [one[0], one[1], next[2], one[3]]
    : null;

const beside = (one: Area, next: Area): Area | null =>
  one[0] === next[0] && one[2] === next[2] && one[3] + 1 === next[1]
    ? [one[0], one[1], one[2], next[3]]
    : null;

/** Rows and columns of a block; the very same where they are all of it. */
function partOf(rows: Rows, [r1, c1, r2, c2]: Area): Rows {
  const part = r1 === 0 && r2 === rows.length - 1 ? rows : rows.slice(r1, r2 + 1);
  const isWide = c1 === 0 && part.every(({ length }) => length <= c2 + 1);
  return isWide ? part : part.map((inputs) => inputs.slice(c1, c2 + 1));
}

/** What others have not written since into the cells of a piece; the very same where that is everything, empty where it is nothing. */
function unwritten(block: Block, { of, area }: Piece, rows: Rows, mapping: CellMapping): Rows {
  const regions = mapping.area(block.sheet, placed(block, of), { unless: 'content' });
  if (regions.length === 0) return [];
  if (regions.reduce((sum, region) => sum + sizeOf(region.area), 0) === sizeOf(area)) return rows;
  const [top, left, , right] = area;
  const next: (readonly BlockInput[])[] = rows.map(() => []);
  for (const { area: kept } of regions) {
    const isWide = kept[1] === left && kept[3] === right;
    const span = [kept[1] - left, kept[3] - left] as const;
    for (let place = kept[0] - top; place <= kept[2] - top; place++)
      next[place] = isWide ? rows[place]! : withSpan(next[place]!, rows[place]!, span);
  }
  return next;
}

/** Of a row what was left of it already, and what lies in a span. */
const withSpan = (
  left: readonly BlockInput[],
  inputs: readonly BlockInput[],
  [from, to]: readonly [number, number],
): readonly BlockInput[] => inputs.map((input, at) => (at >= from && at <= to ? input : (left[at] ?? null)));

/** @param follow what becomes of a formula */
const withFormulas = (rows: Rows, follow: (formula: FormulaJson) => FormulaJson): Rows =>
  rows.map((inputs) =>
    inputs.some(hasFormula)
      ? inputs.map((input) => (hasFormula(input) ? { ...input, f: follow(input.f) } : input))
      : inputs,
  );
