import { Formula } from './formula.ts';
import { type FormulaPart, isReference } from './formula-parts.ts';

/** What becomes of one piece of a formula; the very same where nothing does. */
type PartChange = (part: FormulaPart) => FormulaPart;

/** What becomes of formulas when pieces of them change; a formula in which none does stays the very same. */
export function changingParts(change: PartChange): (formula: Formula) => Formula {
  return (formula) => {
    let changed: FormulaPart[] | null = null;
    const { parts } = formula;
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      if (typeof part === 'string') continue;
      const next = change(part);
      if (next === part) continue;
      changed ??= parts.slice();
      changed[at] = next;
    }
    return changed ? Formula.ofParts(changed, formula.span) : formula;
  };
}

const isSame = (one: string | null, other: string): boolean =>
  one !== null && one.toLowerCase() === other.toLowerCase();

/** A sheet gets another name. */
export function sheetRenaming(from: string, to: string): (formula: Formula) => Formula {
  return changingParts((part) => {
    if (typeof part === 'string') return part;
    const [first, last] = [isSame(part.sheet, from), isSame(part.toSheet, from)];
    if (!first && !last) return part;
    return { ...part, sheet: first ? to : part.sheet, toSheet: last ? to : part.toSheet };
  });
}

/** A table, or a name, gets another name. @param sheet where alone the name counts; null: everywhere */
export function wordRenaming(
  type: 'word' | 'table',
  from: string,
  to: string,
  sheet: string | null = null,
): (formula: Formula) => Formula {
  return changingParts((part) => {
    if (typeof part === 'string' || isReference(part) || !isSame(part.word, from)) return part;
    // A table without brackets behind it reads like a name.
    const isOfType = part.type === type || (type === 'table' && part.type === 'word');
    if (!isOfType || (sheet !== null && part.sheet !== null && !isSame(part.sheet, sheet))) return part;
    return { ...part, word: to };
  });
}

/** A sheet is removed: a reference through several sheets that begins or ends there keeps the others. */
export function sheetRemoval(name: string, names: readonly string[]): (formula: Formula) => Formula {
  const place = (sheet: string) => names.findIndex((other) => isSame(other, sheet));
  const removed = place(name);
  return changingParts((part) => {
    if (typeof part === 'string' || part.sheet === null) return part;
    if (part.toSheet === null) return isSame(part.sheet, name) ? '#REF!' : part;
    const [first, last] = [place(part.sheet), place(part.toSheet)];
    if (first < 0 || last < 0 || (first !== removed && last !== removed)) return part;
    const step = last >= first ? 1 : -1;
    const from = first === removed ? first + step : first;
    const to = last === removed ? last - step : last;
    if ((to - from) * step < 0) return '#REF!';
    return { ...part, sheet: names[from]!, toSheet: from === to ? null : names[to]! };
  });
}
