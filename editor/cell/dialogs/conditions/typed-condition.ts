import type { FormatPatch } from '../../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../../model/cell/formats/shown-value.ts';
import { typedValue } from '../../../../model/cell/formats/typed-value.ts';
import { Formula } from '../../../../model/cell/formula/formula.ts';
import { isReference } from '../../../../model/cell/formula/formula-parts.ts';
import { inQuotes } from '../../../../model/cell/formula/quoted-text.ts';
import type { ConditionDraft } from '../../commands/conditions.ts';
import { modelText, shownText } from '../../editing/typed-formula.ts';
import { fieldText } from '../field-text.ts';
import { shownOperand } from '../rule-operand.ts';
import { colorOf, type Theme } from './condition-look.ts';

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

/** What the fields of a form are read with. */
export interface ConditionReading {
  readonly settings: FormatSettings;
  /** The rule as it was: what no field shows of it stays. */
  readonly before: ConditionDraft;
  readonly theme: Theme;
}

type Points = NonNullable<ConditionDraft['points']>;

/** The colour of a field; one that nobody has changed stays as the rule has it, as one of the theme. */
function fieldColor(fields: FormData, name: string, before: unknown, theme: Theme): { rgb: string } {
  const chosen = fieldText(fields, name);
  if (before && colorOf(before, theme) === chosen) return before as { rgb: string };
  return { rgb: chosen.slice(1).toUpperCase() };
}

/** The rule that the fields of a form say; null where a value is missing. */
export function typedCondition(
  fields: FormData,
  choice: ConditionChoice,
  reading: ConditionReading,
): ConditionDraft | null {
  const { type } = choice;
  const { before, settings, theme } = reading;
  if (isDrawn(type)) return drawnCondition(fields, type, reading);
  const asked = askedBy(fields, choice, settings);
  return (
    asked && {
      type,
      ...(type === 'aboveAverage' && before.type === type && keptOfAverage(before)),
      format: formatOf(fields, before.format ?? {}, theme),
      ...(fields.has('stops') && { stops: true }),
      ...asked,
    }
  );
}

/** How far from the average is far enough. */
const keptOfAverage = ({ deviations, equalAverage }: ConditionDraft): Partial<ConditionDraft> => ({
  ...(deviations !== undefined && { deviations }),
  ...(equalAverage && { equalAverage }),
});

function drawnCondition(
  fields: FormData,
  type: string,
  { before, theme, settings }: ConditionReading,
): ConditionDraft | null {
  const known = before.type === type ? before : null;
  const shown = fields.has('hidesValue') ? { showsValue: false } : {};
  if (type === 'colorScale') return { type, points: scalePoints(fields, known?.points ?? [], theme) };
  if (type === 'dataBar') {
    const points = known?.points ?? [{ type: 'min' }, { type: 'max' }];
    const color = fieldColor(fields, 'bar', known?.color, theme);
    return { type, points, color, ...(fields.has('solid') && { solid: true }), ...shown };
  }
  const icons = fieldText(fields, 'icons');
  const points = iconPoints(before, icons).map((point, at) => iconPoint(fields, point, at, settings));
  if (!points.every((point) => point !== null)) return null;
  return { type, icons, points, ...(fields.has('reversed') && { reversed: true }), ...shown };
}

/** Where the icons of a set begin: as the rule has it, else in equal parts. */
export function iconPoints(before: ConditionDraft, icons: string): Points {
  const known = before.type === 'iconSet' ? before : null;
  const count = Number(icons[0]);
  // Icons that are chosen one by one are those of their set no more when another one is chosen.
  const isKnown = known?.points?.length === count && (known.icons === icons || !known.points.some(hasIcon));
  if (isKnown) return known.points!;
  return Array.from({ length: count }, (_, at) => ({
    type: 'percent',
    value: String(Math.round((100 / count) * at)),
  }));
}

/** How people may say where an icon begins; a formula begins with its equals sign whichever it is. */
export const iconSteps = ['percent', 'num', 'percentile'] as const;

/** Where an icon begins, as it is typed. */
export const shownStep = ({ type, value = '0' }: Points[number], locale: string): string =>
  type === 'formula' ? `=${shownText(value, locale)}` : shownOperand(value, locale);

/** Where an icon begins by its fields, as before where nobody changed them; the first has none. Null for what is no number. */
function iconPoint(
  fields: FormData,
  before: Points[number],
  at: number,
  settings: FormatSettings,
): Points[number] | null {
  if (at === 0 || !fields.has(`step${at}`)) return before;
  const chosen = fieldText(fields, `stepType${at}`);
  // Of percents the sign says nothing more.
  const text = fieldText(fields, `step${at}`).replace(chosen === 'num' ? '' : /\s*%$/, '');
  const isFormula = text.startsWith('=');
  const type = isFormula ? 'formula' : chosen;
  if (text === shownStep(before, settings.locale) && (isFormula || type === before.type)) return before;
  const value = operandOf(text, 'cellIs', settings);
  if (text === '' || value.startsWith('"')) return null;
  return { ...before, type, value: isFormula ? withFixedReferences(value) : value };
}

/** A formula for all cells of a rule alike: Excel takes no other where icons begin. */
function withFixedReferences(text: string): string {
  const formula = Formula.of(text);
  const parts = formula.parts.map((part) => (isReference(part) ? { ...part, absolute: 15 } : part));
  return Formula.ofParts(parts, formula.span).text;
}

const hasIcon = ({ icon }: Points[number]): boolean => icon !== undefined;

/** The points of a scale of two or three colours; they stay where they were. */
function scalePoints(fields: FormData, known: Points, theme: Theme): Points {
  const [lowest, middle] = known;
  const low = fieldColor(fields, 'low', lowest?.color, theme);
  const high = fieldColor(fields, 'high', known.at(-1)?.color, theme);
  const ends = [
    { ...(lowest ?? { type: 'min' }), color: low },
    { ...(known.at(-1) ?? { type: 'max' }), color: high },
  ] as const;
  if (!fields.has('middleOn')) return [...ends];
  const between = known.length > 2 ? middle! : { type: 'percentile', value: '50' };
  return [ends[0], { ...between, color: fieldColor(fields, 'middle', between.color, theme) }, ends[1]];
}

/** How cells look by a rule. What no field shows (lines, number formats, other looks of letters) stays. */
function formatOf(fields: FormData, before: FormatPatch, theme: Theme): FormatPatch {
  const { font: fontBefore, fill: fillBefore, ...others } = before;
  const { color: fontColor, bold: _bold, italic: _italic, ...letters } = fontBefore ?? {};
  const font = {
    ...letters,
    ...(fields.has('fontOn') && { color: fieldColor(fields, 'font', fontColor, theme) }),
    ...(fields.has('bold') && { bold: true }),
    ...(fields.has('italic') && { italic: true }),
  };
  const fillColor = fillBefore?.color;
  const color = fieldColor(fields, 'fill', fillColor, theme);
  const fill = fillColor && color === fillColor ? fillBefore : { pattern: 'solid', color };
  return {
    ...others,
    ...(Object.keys(font).length > 0 && { font }),
    ...(fields.has('fillOn') && { fill }),
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
