import { formulaTokens, sheetNames } from '../calculation/formula-tokens.ts';
import { type Area, contains } from './area.ts';
import { isReference, partsOf } from './formula/formula-parts.ts';
import { changePlaces } from './item-places.ts';
import type { Item, ItemKind } from './items.ts';
import { CELL_LIMITS } from './limits.ts';
import { booksOf, type LinkedCell } from './linked-book.ts';
import type { LinkedWish } from './linked-values.ts';
import { type Items, namesOf, type Workbook } from './workbook.ts';

/** What a formula reads of another workbook. */
interface LinkedReferences {
  readonly cells: readonly { readonly sheet: string; readonly area: Area }[];
  readonly names: readonly string[];
}

/** What a formula reads of the workbook of a number; null where it does not name it. */
export function linkedReferencesOf(formula: string, id: string): LinkedReferences | null {
  if (!formula.includes(`[${id}]`)) return null;
  const cells: { sheet: string; area: Area }[] = [];
  const names: string[] = [];
  let isNamed = false;
  const tokens = formulaTokens(formula);
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sheet') continue;
    const { first, last } = sheetNames(text);
    const [, book, sheet] = /^\[(\d+)\]([\s\S]*)$/.exec(first) ?? [];
    if (book !== id) continue;
    isNamed = true;
    const [one, colon, other] = tokens.slice(at + 1, at + 4);
    if (one?.kind === 'name' && colon?.text !== '(') names.push(one.text);
    const isRange = one?.kind === 'cell' && colon?.text === ':' && other?.kind === 'cell';
    const [reference] = partsOf(isRange ? `${one.text}:${other.text}` : (one?.text ?? ''));
    const isCells = reference !== undefined && typeof reference === 'object' && isReference(reference);
    if (sheet && last === undefined && isCells) cells.push({ sheet, area: reference.area });
  }
  return isNamed ? { cells, names } : null;
}

/** Everything in a workbook that is a formula, with the cell that it is in, if it is one. */
export function* formulasOf(workbook: Workbook): Generator<{
  readonly formula: string;
  readonly cell?: { readonly sheet: string; readonly row: number; readonly column: number };
}> {
  for (const { id: sheet, grid, items } of workbook.sheets) {
    for (const [row, { columns, cells }] of grid.rows()) {
      for (const [at, column] of columns.entries()) {
        const { formula } = cells[at]!;
        if (formula) yield { formula: formula.text, cell: { sheet, row, column } };
      }
    }
    for (const formula of formulasOfItems(items)) yield { formula };
  }
  for (const { formula } of namesOf(workbook).values()) yield { formula };
}

function formulasOfItems(items: Items<string>): string[] {
  const formulas: string[] = [];
  for (const [kind, byId] of Object.entries(items) as [ItemKind, ReadonlyMap<string, Item>][]) {
    for (const item of byId.values()) {
      changePlaces(kind, item, {
        area: (area) => area,
        formula: (text) => {
          formulas.push(text);
          return text;
        },
      });
    }
  }
  return formulas;
}

/** What has to be known of the workbook of a number: what formulas read, and what is known already. */
export function linkedWishOf(workbook: Workbook, id: string): LinkedWish {
  const areas = new Map<string, { name: string; areas: Map<string, Area> }>();
  const names = new Set<string>();
  const add = (name: string, area: Area) => {
    const sheet = areas.get(name.toLowerCase()) ?? { name, areas: new Map() };
    areas.set(name.toLowerCase(), sheet);
    sheet.areas.set(area.join(), area);
  };
  for (const { formula } of formulasOf(workbook)) {
    const read = linkedReferencesOf(formula, id);
    for (const { sheet, area } of read?.cells ?? []) add(sheet, area);
    for (const name of read?.names ?? []) names.add(name);
  }
  let room: number =
    CELL_LIMITS.areasPerOperation - [...areas.values()].reduce((sum, one) => sum + one.areas.size, 0);
  for (const { name, cells } of booksOf(workbook).get(id)?.sheets ?? []) {
    const read = [...(areas.get(name.toLowerCase())?.areas.values() ?? [])].slice(0, mostCompared);
    const others = cells.filter(
      ([row, column]) => !read.some((area) => contains(area, [row, column, row, column])),
    );
    for (const area of rectanglesOf(others)) {
      if (room-- > 0) add(name, area);
    }
  }
  return {
    sheets: [...areas.values()].map((sheet) => ({ name: sheet.name, areas: [...sheet.areas.values()] })),
    names: [...names],
  };
}

/** With so many areas a cell is compared; of others it is asked for a second time. */
const mostCompared = 200;

/** Rectangles that cells fill: runs in rows, and equal runs of rows below each other. */
function rectanglesOf(cells: readonly LinkedCell[]): Area[] {
  const sorted = [...cells].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const runs: [row: number, first: number, last: number][] = [];
  for (const [row, column] of sorted) {
    const run = runs.at(-1);
    if (run && run[0] === row && column <= run[2] + 1) run[2] = column;
    else runs.push([row, column, column]);
  }
  const open = new Map<string, [number, number, number, number]>();
  const areas: [number, number, number, number][] = [];
  for (const [row, first, last] of runs) {
    const above = open.get(`${first} ${last}`);
    if (above && above[2] === row - 1) above[2] = row;
    else {
      const area: [number, number, number, number] = [row, first, row, last];
      areas.push(area);
      open.set(`${first} ${last}`, area);
    }
  }
  return areas;
}
