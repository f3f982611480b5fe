import type { FormatSettings } from '../../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../../model/cell/formats/typed-value.ts';
import { inQuotes } from '../../../../model/cell/formula/quoted-text.ts';
import type { Validation } from '../../commands/validation.ts';
import { formulaFault } from '../../editing/formula-fault.ts';
import { modelText, shownText } from '../../editing/typed-formula.ts';
import { valueFault } from '../field-fault.ts';
import { fieldText } from '../field-text.ts';
import { plainOperand, shownOperand } from '../rule-operand.ts';

export type ValidationType = Validation['type'];

/** What kinds of a validation take values to compare with. */
export const isCompared = (type: ValidationType): boolean =>
  type !== 'any' && type !== 'list' && type !== 'custom';

/** What is said of a validation beside its fields. */
export interface ValidationChoice {
  readonly type: Exclude<ValidationType, 'any'>;
  readonly operator: string;
  /** How many values are asked for. */
  readonly count: number;
}

/** The validation that the fields of a form say; null where a value is missing. */
export function typedValidation(
  fields: FormData,
  { type, operator, count }: ValidationChoice,
  settings: FormatSettings,
): Omit<Validation, 'areas'> | null {
  const text = (name: string) => fieldText(fields, name);
  const given = ['one', 'two'].slice(0, count).map(text);
  if (given.includes('')) return null;
  const optional = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
  return {
    type,
    formulas: given.map((value) => formulaOf(value, type, settings)),
    ...(isCompared(type) && operator !== 'between' && { operator }),
    ...(fields.has('allowsBlank') && { allowsBlank: true }),
    ...(type === 'list' && !fields.has('showsArrow') && { hidesArrow: true }),
    ...(text('style') !== 'stop' && { style: text('style') as 'warning' }),
    showsError: true,
    showsPrompt: true,
    ...optional('promptTitle'),
    ...optional('prompt'),
    ...optional('errorTitle'),
    ...optional('error'),
  };
}

/** Why one of the values of a form cannot be in the validation that it says; null if all can. */
export function validationFault(
  fields: FormData,
  { type, formulas }: Pick<Validation, 'type' | 'formulas'>,
  locale: string,
): string | null {
  // Those of the model are written in one way whatever the locale.
  const inModel = () => formulas.map((formula) => formulaFault(`=${formula}`, 'en')).find(Boolean) ?? null;
  return valueFault(fields, type === 'custom', locale) ?? inModel();
}

/** What a file has for a bound or a source that was typed: numbers and days as numbers, words in quotes. */
function formulaOf(text: string, type: ValidationType, settings: FormatSettings): string {
  if (text.startsWith('=')) return modelText(text.slice(1), settings.locale);
  if (type === 'custom') return modelText(text, settings.locale);
  if (type === 'list') {
    const words = text.split(/[,;\n]/).map((word) => word.trim());
    return inQuotes(words.filter((word) => word !== '').join(','));
  }
  const typed = typedValue(text, 'General', settings);
  return typed.kind === 'number' ? String(typed.number) : text;
}

/** A value of a validation as it is typed, where its kind is the one that is shown: a formula with its equals sign. */
export function shownBound(
  rule: Validation | null,
  at: number,
  { type, locale }: { type: ValidationType; locale: string },
): string {
  const formula = rule?.type === type ? rule.formulas[at] : undefined;
  if (!formula) return '';
  return type === 'custom'
    ? (plainOperand(formula) ?? shownText(formula, locale))
    : shownOperand(formula, locale);
}
