import { quotedColumn } from '../../../model/cell/formula/column-renaming.ts';
import { suggested, takenBy } from './functions.ts';
import { wordBefore } from './typed-tokens.ts';

/** What the word before the cursor can become. */
export interface Completion {
  readonly label: string;
  /** What a function takes, or what a name stands for. */
  readonly detail: string;
  /** What takes the place of the text from `from` up to the cursor. */
  readonly from: number;
  readonly text: string;
  /** Whether it is called: then a bracket stands behind it. */
  readonly isFunction: boolean;
}

/** What formulas of a workbook can name. */
export interface Nameable {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  readonly names: readonly { readonly name: string; readonly formula: string }[];
  /** The table that the cell is in. */
  readonly ownTable: string | null;
}

/** Functions that a range may end with: those that give cells. */
const givesCells: ReadonlySet<string> = new Set([
  'CHOOSE',
  'IF',
  'IFS',
  'INDEX',
  'INDIRECT',
  'OFFSET',
  'SWITCH',
  'XLOOKUP',
]);
const mostNames = 6;
const mostListed = 10;

/** A table before its bracket, what stands between the bracket and the column, and the beginning of that. */
const columnPattern =
  /(?<table>[\p{L}_\\][\p{L}\p{N}_.]*)?\[(?<between>@\[|@|\[|\[[^[\]]*\][,:]\s*\[)?(?<word>[^[\]@"]*)$/u;

/**
 * What can be typed in the place of the word before the cursor: columns behind the name of a table and a bracket, else names, tables and
 * functions.
 */
export function completionsAt(text: string, place: number, nameable: Nameable): readonly Completion[] {
  const columns = columnsAt(text, place, nameable);
  if (columns) return columns;
  const word = wordBefore(text, place);
  if (!word || !/\p{L}/u.test(word.word)) return [];
  const { from } = word;
  const begins = ({ name }: { readonly name: string }) =>
    name.toLowerCase().startsWith(word.word.toLowerCase()) && name.length > word.word.length;
  const plain = (name: string, detail: string): Completion => ({
    ...{ label: name, detail, from, text: name, isFunction: false },
  });
  const names = nameable.names.filter(begins).map(({ name, formula }) => plain(name, formula));
  const tables = nameable.tables.filter(begins).map(({ name }) => plain(name, '[…]'));
  const endsRange = text[word.from - 1] === ':';
  const callable = suggested(word.word, endsRange ? givesCells : undefined);
  const functions = callable.map((one): Completion => {
    const { name } = one;
    return { label: name, detail: takenBy(one), from, text: name, isFunction: true };
  });
  return [...[...tables, ...names].slice(0, mostNames), ...functions].slice(0, mostListed);
}

/** Null where the cursor is in no brackets of a table. */
function columnsAt(
  text: string,
  place: number,
  { tables, ownTable }: Nameable,
): readonly Completion[] | null {
  const before = text.slice(0, place);
  // Within a text nothing is completed.
  if (!text.startsWith('=') || before.split('"').length % 2 === 0) return null;
  const found = columnPattern.exec(before)?.groups;
  const wanted = (found?.table ?? ownTable)?.toLowerCase();
  const table = tables.find(({ name }) => name.toLowerCase() === wanted);
  if (!found || !table) return null;
  const { between = '', word = '' } = found;
  const rest = text.slice(place);
  return table.columns
    .filter((name) => name.toLowerCase().startsWith(word.toLowerCase()))
    .slice(0, mostListed)
    .map((name) => {
      const quoted = quotedColumn(name);
      const isSimple = between !== '@' || /^[\p{L}\p{N}_]+$/u.test(name);
      const closing = rest.startsWith(']') ? '' : between === '@[' || !isSimple ? ']]' : ']';
      return {
        ...{ label: name, detail: table.name, from: place - word.length },
        ...{ text: (isSimple ? quoted : `[${quoted}`) + closing, isFunction: false },
      };
    });
}
