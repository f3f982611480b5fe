/*
 * How the values of configurations, tokens and requests are read. Integrators write them in every language: numbers and
 * truth values as texts, texts as numbers, null for what is absent, and empty objects as empty lists. Each reader gives
 * undefined for what it cannot read, and for what is absent.
 */

/** Whether nothing is said. */
export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** A text, also one of digits that came as a number. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

const longestNumber = 40;

/** A number, also as text in decimals. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > longestNumber) return undefined;
  return /^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/.test(value) ? Number(value) : undefined;
}

/** As PHP, Python and forms write them; an empty text is how PHP writes `false`. */
const trueOnes: readonly unknown[] = [true, 1, '1', 'true', 'True', 'TRUE'];
const falseOnes: readonly unknown[] = [false, 0, '0', 'false', 'False', 'FALSE', ''];

/** A truth value, also as number or text. */
export function flagIn(value: unknown): boolean | undefined {
  if (trueOnes.includes(value)) return true;
  return falseOnes.includes(value) ? false : undefined;
}

/** The members of an object. PHP writes one without members as an empty list. */
export function membersIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return value as Record<string, unknown>;
  return value.length === 0 ? {} : undefined;
}

/** The same, and no members where there are none to be read. */
export const objectIn = (value: unknown): Record<string, unknown> => membersIn(value) ?? {};

/** The texts of a list. */
export const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(textIn).filter((text) => text !== undefined) : undefined;

/**
 * The mode in which a document is opened. `true` is seen where `edit` is meant. What cannot be read opens for viewing:
 * it must not make an editor of somebody.
 */
export function modeIn(value: unknown): string | undefined {
  if (isAbsent(value) || value === false) return undefined;
  return value === true ? 'edit' : (textIn(value) ?? 'view');
}
