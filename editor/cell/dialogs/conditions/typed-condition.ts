import type { FormatPatch } from '../../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../../model/cell/formats/typed-value.ts';
import type { ConditionDraft } from '../../commands/conditions.ts';
import { modelText, shownText } from '../../editing/typed-formula.ts';
import { inQuotes } from '../../formats/quoted-text.ts';
import { fieldText } from '../field-text.ts';
import { shownOperand } from '../rule-operand.ts';

/** Rules that look for a text. */
export const seeksText = (type: string): boolean =>
  ['containsText', 'notContainsText', 'beginsWith', 'endsWith'].includes(type);

/** Rules that draw something in their cells, and give these no other look. */
export const isDrawn = (type: string): boolean => ['colorScale', 'dataBar', 'iconSet'].includes(type);

/** What is said of a rule beside its fields. */
export interface ConditionChoice {
  readonly type: string;
  readonly operator: string;
  /** How many values are asked for. */
  readonly count: number;
}

const fieldColor = (fields: FormData, name: string) => ({
  rgb: fieldText(fields, name).slice(1).toUpperCase(),
});

/** The rule that the fields of a form say; null where a value is missing. */
export function typedCondition(
  fields: FormData,
  choice: ConditionChoice,
  settings: FormatSettings,
): ConditionDraft | null {
  const { type } = choice;
  if (isDrawn(type)) return drawnCondition(fields, type);
  const asked = askedBy(fields, choice, settings);
  return asked && { type, format: formatOf(fields), ...(fields.has('stops') && { stops: true }), ...asked };
}

function drawnCondition(fields: FormData, type: string): ConditionDraft {
  if (type === 'colorScale') {
    const points = [
      { type: 'min', color: fieldColor(fields, 'low') },
      { type: 'percentile', value: '50', color: fieldColor(fields, 'middle') },
      { type: 'max', color: fieldColor(fields, 'high') },
    ];
    return { type, points };
  }
  if (type === 'dataBar')
    return { type, points: [{ type: 'min' }, { type: 'max' }], color: fieldColor(fields, 'bar') };
  const icons = fieldText(fields, 'icons');
  const count = Number(icons[0]);
  const points = Array.from({ length: count }, (_, at) => ({
    type: 'percent',
    value: String(Math.round((100 / count) * at)),
  }));
  return { type, icons, points, ...(fields.has('reversed') && { reversed: true }) };
}

function formatOf(fields: FormData): FormatPatch {
  const font = {
    ...(fields.has('fontOn') && { color: fieldColor(fields, 'font') }),
    ...(fields.has('bold') && { bold: true }),
    ...(fields.has('italic') && { italic: true }),
  };
  return {
    ...(Object.keys(font).length > 0 && { font }),
    ...(fields.has('fillOn') && { fill: { pattern: 'solid', color: fieldColor(fields, 'fill') } }),
  } as FormatPatch;
}

/** What a rule asks of a cell. */
function askedBy(
  fields: FormData,
  { type, operator, count }: ConditionChoice,
  settings: FormatSettings,
): Partial<ConditionDraft> | null {
  if (type === 'cellIs' || type === 'expression') {
    const given = ['one', 'two'].slice(0, count).map((name) => fieldText(fields, name));
    if (given.some((text) => text.replace(/^=/, '') === '')) return null;
    const values = given.map((text) => operandOf(text, type, settings));
    return { ...(type === 'cellIs' && { operator }), values };
  }
  if (seeksText(type)) {
    const text = fieldText(fields, 'text');
    const named: Readonly<Record<string, string>> = { notContainsText: 'notContains' };
    return text === '' ? null : { operator: named[type] ?? type, text };
  }
  if (type === 'timePeriod') return { period: fieldText(fields, 'period') };
  if (type === 'aboveAverage') return fieldText(fields, 'average') === 'below' ? { aboveAverage: false } : {};
  if (type !== 'top10') return {};
  return {
    rank: Math.max(1, Number(fieldText(fields, 'rank')) || 10),
    ...(fields.has('percent') && { percent: true }),
    ...(fieldText(fields, 'end') === 'bottom' && { bottom: true }),
  };
}

function operandOf(text: string, type: string, settings: FormatSettings): string {
  if (text.startsWith('=') || type === 'expression')
    return modelText(text.replace(/^=/, ''), settings.locale);
  const typed = typedValue(text, 'General', settings);
  return typed.kind === 'number' ? String(typed.number) : inQuotes(text);
}

/** A value of a rule as it is typed, where its kind is the one that is shown. */
export function shownConditionValue(
  { type, values = [] }: ConditionDraft,
  at: number,
  { type: shown, locale }: { type: string; locale: string },
): string {
  const value = values[at];
  if (value === undefined || type !== shown) return '';
  return type === 'expression' ? `=${shownText(value, locale)}` : shownOperand(value, locale);
}
