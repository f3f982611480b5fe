import { bracketEnd } from '../../calculation/formula-tokens.ts';
import { Formula } from './formula.ts';
import type { FormulaPart } from './formula-parts.ts';

/** Names of columns that become others, or are gone (null), as `columnKey` writes the old ones. */
export type ColumnNames = ReadonlyMap<string, string | null>;

/** Names are told apart without their case, and with one kind of line break. */
export const columnKey = (name: string): string => name.replaceAll(/\r\n?/g, '\n').toLowerCase();

/** Signs that have a meaning in structured references stand behind an apostrophe. */
export const quotedColumn = (name: string): string => name.replaceAll(/['[\]#@]/g, "'$&");

/**
 * Columns of tables get other names, or are gone, as tables may be: what becomes of formulas that name them. Columns are named
 * behind their table.
 * @param tables by their names in lower case; null for one that is gone
 */
export function columnRenaming(
  tables: ReadonlyMap<string, ColumnNames | null>,
): (formula: Formula) => Formula {
  return (formula) => {
    let changed: FormulaPart[] | null = null;
    const { parts } = formula;
    for (const [at, part] of parts.entries()) {
      if (typeof part === 'string' || (part.type !== 'table' && part.type !== 'word')) continue;
      const names = tables.get(part.word.toLowerCase());
      if (names === undefined) continue;
      const behind = part.type === 'table' ? parts[at + 1] : undefined;
      if (typeof behind !== 'string') {
        if (names !== null) continue;
        changed ??= parts.slice();
        changed[at] = '#REF!';
        continue;
      }
      const end = bracketEnd(behind);
      const brackets = names && renamed(behind.slice(0, end), names);
      if (brackets === behind.slice(0, end)) continue;
      changed ??= parts.slice();
      if (brackets === null) changed[at] = '#REF!';
      changed[at + 1] = (brackets ?? '') + behind.slice(end);
    }
    return changed ? Formula.ofParts(changed, formula.span) : formula;
  };
}

/** `[Price]`, `[@Price]`, or `[[#This Row],[Price]:[Sum]]` with other names of columns; null where one is gone. */
function renamed(brackets: string, names: ColumnNames): string | null {
  const inside = brackets.slice(1, -1);
  const [, mark = '', rest = ''] = /^(\s*@?\s*)([\s\S]*)$/.exec(inside)!;
  if (rest.startsWith('[')) {
    let isGone = false;
    const items = rest.replaceAll(/\[((?:'[\s\S]|[^\]'])*)\]/g, (item, name: string) => {
      const next = nextName(name, names);
      isGone ||= next === null;
      return next === undefined ? item : `[${next}]`;
    });
    return isGone ? null : `[${mark}${items}]`;
  }
  const next = nextName(rest, names);
  if (next === undefined) return brackets;
  if (next === null) return null;
  return mark.includes('@') && !/^[\p{L}\p{N}_]+$/u.test(next) ? `[${mark}[${next}]]` : `[${mark}${next}]`;
}

function nextName(written: string, names: ColumnNames): string | null | undefined {
  const next = names.get(columnKey(written.replaceAll(/'([\s\S])/g, '$1')));
  return next && quotedColumn(next);
}
