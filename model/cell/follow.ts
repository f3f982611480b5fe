import type { Area } from './area.ts';
import { Formula } from './formula/formula.ts';
import { ReferenceFollower } from './formula/reference-shift.ts';
import type { FormulaChange } from './formula-changes.ts';
import { changePlaces, type PlaceChange } from './item-places.ts';
import type { Item } from './items.ts';
import type { Sheet, Workbook } from './workbook.ts';
import { mapItems } from './workbook-change.ts';

/** Changes formulas as texts, wherever a workbook has them beside cells. */
export const onText =
  (change: (formula: Formula) => Formula) =>
  (text: string): string => {
    const formula = Formula.of(text);
    const next = change(formula);
    return next === formula ? text : next.text;
  };

/** What formulas of a list are in pieces: a file may have very many in one list, all of which each operation asks. */
const inPieces = new WeakMap<readonly string[], readonly Formula[]>();

/** The same for lists of formulas, which are read only once. */
const onTexts =
  (change: (formula: Formula) => Formula) =>
  (texts: readonly string[]): readonly string[] => {
    const formulas = inPieces.get(texts) ?? texts.map((text) => Formula.of(text));
    inPieces.set(texts, formulas);
    const next = formulas.map(change);
    if (next.every((formula, at) => formula === formulas[at])) return texts;
    const changed = next.map(({ text }) => text);
    inPieces.set(changed, next);
    return changed;
  };

/** How the places of items change where formulas do. */
const onFormulas = (change: (formula: Formula) => Formula): Pick<PlaceChange, 'formula' | 'formulas'> => ({
  formula: onText(change),
  formulas: onTexts(change),
});

/** In lower case, where a sigma is written one way at the end of a word and another way before that. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/**
 * The workbook with every formula of it made anew; areas stay.
 * @param of what becomes of those of a sheet (null: of none)
 * @param word as it stands, in any case, in all that change: most of very many names need not be read then
 */
export function changeFormulas(
  workbook: Workbook,
  of: (sheet: Sheet | null) => (formula: Formula) => Formula,
  word = '',
): Workbook {
  const wanted = folded(word);
  return changeEverywhere(workbook, (sheet) => {
    const change = of(sheet);
    const { formula, formulas } = onFormulas(change);
    const isMeant = (text: string) => wanted === '' || folded(text).includes(wanted);
    const places: PlaceChange = {
      area: (area) => area,
      formula: (text) => (isMeant(text) ? formula(text) : text),
      formulas: (texts) => (texts.some(isMeant) ? formulas!(texts) : texts),
    };
    return { cells: { of: change }, places };
  });
}

/** References in all formulas, and the places of all items, follow an operation. Cells are moved by others. */
export function followReferences(workbook: Workbook, follower: ReferenceFollower): Workbook {
  return changeEverywhere(workbook, (sheet) => {
    const owner = sheet?.properties.name ?? null;
    return {
      cells: new FollowedCells(follower, owner ?? ''),
      places: {
        area: (area) => (owner === null ? area : follower.area(area, owner)),
        ...onFormulas(follower.of(owner)),
      },
    };
  });
}

interface Changes {
  readonly cells: FormulaChange;
  readonly places: PlaceChange;
}

function changeEverywhere(workbook: Workbook, of: (sheet: Sheet | null) => Changes): Workbook {
  const sheets = workbook.sheets.map((sheet) => {
    const { cells, places } = of(sheet);
    const grid = sheet.grid.changeFormulas(cells);
    const items = mapItems(sheet.items, (kind, item) => changePlaces(kind, item, places));
    return grid === sheet.grid && items === sheet.items ? sheet : { ...sheet, grid, items };
  });
  const isScoped = workbook.items.name !== undefined || workbook.items.held !== undefined;
  const scopes = new Map(isScoped ? workbook.sheets.map((sheet) => [sheet.id, sheet]) : []);
  const items = mapItems(workbook.items, (kind, item: Item) => {
    const { scope } = item as { scope?: string | null };
    const { places } = of(scopes.get(scope ?? '') ?? null);
    return changePlaces(kind, item, { ...places, area: (area) => area });
  });
  return { ...workbook, sheets, items };
}

/** References in the formulas of a sheet's cells follow operations. */
class FollowedCells implements FormulaChange {
  readonly #follower: ReferenceFollower;
  readonly #owner: string;
  readonly #change: (formula: Formula) => Formula;

  /** @param owner the name of the sheet */
  constructor(follower: ReferenceFollower, owner: string) {
    this.#follower = follower;
    this.#owner = owner;
    this.#change = follower.ofCells(owner);
  }

  of(formula: Formula, row: number, column: number): Formula {
    return this.#withSpan(this.#change(formula), formula, row, column);
  }

  joins(before: FormulaChange): boolean {
    return (
      before instanceof FollowedCells &&
      before.#owner === this.#owner &&
      this.#follower.joins(before.#follower)
    );
  }

  joined(all: readonly FormulaChange[]): FormulaChange {
    const followers = all.flatMap((one) => (one instanceof FollowedCells ? [one.#follower] : []));
    return new FollowedCells(ReferenceFollower.joined(followers), this.#owner);
  }

  /** What an array formula fills grows and shrinks as a reference to it would. */
  #withSpan(next: Formula, { span }: Formula, row: number, column: number): Formula {
    if (!span) return next;
    const area: Area = [row, column, row + span.rows - 1, column + span.columns - 1];
    const filled = this.#follower.area(area, this.#owner);
    if (!filled) return next;
    const [rows, columns] = [filled[2] - filled[0] + 1, filled[3] - filled[1] + 1];
    if (rows === span.rows && columns === span.columns) return next;
    return Formula.ofParts(next.parts, { kind: span.kind, rows, columns });
  }
}
