import { bracketEnd } from '../../calculation/formula-tokens.ts';
import { Formula } from './formula.ts';
import type { FormulaPart } from './formula-parts.ts';

/** Names of columns that become others, as `columnKey` writes the old ones. */
export type ColumnNames = ReadonlyMap<string, string>;

/** Names are told apart without their case, and with one kind of line break. */
export const columnKey = (name: string): string => name.replaceAll(/\r\n?/g, '\n').toLowerCase();

/** Signs that have a meaning in structured references stand behind an apostrophe. */
export const quotedColumn = (name: string): string => name.replaceAll(/['[\]#@]/g, "'$&");

/**
 * Columns of tables get other names: what becomes of formulas that name them behind the table's name.
 * @param tables by their names in lower case
 */
export function columnRenaming(tables: ReadonlyMap<string, ColumnNames>): (formula: Formula) => Formula {
  return (formula) => {
    let changed: FormulaPart[] | null = null;
    const { parts } = formula;
    for (const [at, part] of parts.entries()) {
      const before = parts[at - 1];
      if (typeof part !== 'string' || typeof before !== 'object' || before.type !== 'table') continue;
      const names = tables.get(before.word.toLowerCase());
      if (!names) continue;
      const end = bracketEnd(part);
      const brackets = renamed(part.slice(0, end), names);
      if (brackets === part.slice(0, end)) continue;
      changed ??= parts.slice();
      changed[at] = brackets + part.slice(end);
    }
    return changed ? Formula.ofParts(changed, formula.span) : formula;
  };
}

/** `[Price]`, `[@Price]`, or `[[#This Row],[Price]:[Sum]]` with other names of columns. */
function renamed(brackets: string, names: ColumnNames): string {
  const inside = brackets.slice(1, -1);
  const [, mark = '', rest = ''] = /^(\s*@?\s*)([\s\S]*)$/.exec(inside)!;
  if (rest.startsWith('[')) {
    const items = rest.replaceAll(/\[((?:'[\s\S]|[^\]'])*)\]/g, (item, name: string) => {
      const next = nextName(name, names);
      return next === null ? item : `[${next}]`;
    });
    return `[${mark}${items}]`;
  }
  const next = nextName(rest, names);
  if (next === null) return brackets;
  return mark.includes('@') && !/^[\p{L}\p{N}_]+$/u.test(next) ? `[${mark}[${next}]]` : `[${mark}${next}]`;
}

function nextName(written: string, names: ColumnNames): string | null {
  const next = names.get(columnKey(written.replaceAll(/'([\s\S])/g, '$1')));
  return next === undefined ? null : quotedColumn(next);
}
