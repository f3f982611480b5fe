import { type Area, intersection } from '../../../model/cell/area.ts';
import { type CellFormat, type FormatPatch, patchFormat } from '../../../model/cell/cell-format.ts';
import { copiedParts } from '../../../model/cell/formula/formula.ts';
import { type FormulaPart, isReference, partsOf } from '../../../model/cell/formula/formula-parts.ts';
import { quotedText } from '../../../model/cell/formula/quoted-text.ts';
import type { ItemOf } from '../../../model/cell/items.ts';
import { type CellValue, isErrorValue, textOfValue } from '../../../model/cell/values.ts';
import { itemsOf, type Sheet } from '../../../model/cell/workbook.ts';
import type { RuleFormula } from '../calculation/rule-answers.ts';
import { paintBar } from '../grid/bar-painter.ts';
import { isIn } from '../grid/cell-areas.ts';
import { mixed } from '../grid/colors.ts';
import type { CellIcon, ConditionPainters, DataBar } from '../grid/drawn-sheet.ts';
import { besideIcon, paintIcon } from '../grid/icon-painter.ts';
import { isInPeriod } from './date-periods.ts';
import type { FormatLooks } from './format-looks.ts';

type Condition = ItemOf<'condition'>;
type Point = NonNullable<Condition['points']>[number];

/** What conditions make of a cell. */
export interface Conditioned {
  readonly format: CellFormat;
  /** Behind the text, over the fill of the format. */
  readonly fill: string | null;
  readonly bar: DataBar | null;
  readonly icon: CellIcon | null;
  /** A bar or an icon stands in the place of the text. */
  readonly hidesText: boolean;
}

const plain = { fill: null, bar: null, icon: null, hidesText: false };

export interface ConditionSource {
  readonly sheet: Sheet;
  readonly looks: FormatLooks;
  readonly used: Area | null;
  valueAt(row: number, column: number): CellValue;
  /** What a formula comes to in a cell; undefined while it is not known. A rule with such a formula changes nothing until then. */
  readonly formulaValue?: (formula: RuleFormula, row: number, column: number) => CellValue | undefined;
  /** The serial number of today, for dates. */
  readonly today: number;
  readonly isFrom1904: boolean;
}

/** What all cells of a rule's areas come to, as far as the rule asks. */
interface Numbers {
  /** Rising. */
  readonly sorted: readonly number[];
  readonly mean: number;
  /** Of the numbers as a whole, as Excel takes it. */
  readonly deviation: number;
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * The conditional formats of a sheet. What has to be calculated is asked of the source; a rule whose formula nobody has
 * calculated changes nothing.
 */
export class ConditionalFormats {
  static readonly painters: ConditionPainters = { paintBar, paintIcon, besideIcon };
  readonly #source: ConditionSource;
  /** Those that come first are first. */
  readonly #rules: readonly { readonly rule: Condition; readonly areas: readonly Area[] }[];
  readonly #numbers = new Map<Condition, Numbers>();
  readonly #operands = new Map<string, Operand>();
  readonly #patched = new WeakMap<CellFormat, Map<FormatPatch, CellFormat>>();

  constructor(source: ConditionSource) {
    this.#source = source;
    this.#rules = [...itemsOf(source.sheet, 'condition').values()]
      .toSorted((one, other) => one.priority - other.priority)
      .map((rule) => ({
        rule,
        areas: rule.areas.map(([top, left, bottom, right]) => [top, left, bottom, right]),
      }));
  }

  /** Null for a cell that no condition concerns. */
  at(row: number, column: number, format: CellFormat): Conditioned | null {
    const cell = { row, column };
    let result: Conditioned | null = null;
    const patches: FormatPatch[] = [];
    for (const { rule, areas } of this.#rules) {
      if (!areas.some((area) => isIn(cell, area))) continue;
      const value = this.#source.valueAt(row, column);
      if (rule.type === 'colorScale' || rule.type === 'dataBar' || rule.type === 'iconSet') {
        // The fill of a rule that comes first is not painted over.
        const isCovered = rule.type === 'colorScale' && patches.some(({ fill }) => fill);
        if (typeof value === 'number' && !isCovered)
          result = this.#scaled(rule, areas, value, result ?? { format, ...plain });
        continue;
      }
      if (!this.#holds(rule, areas, cell, value)) continue;
      if (rule.format) patches.push(rule.format as FormatPatch);
      if (rule.stops) break;
    }
    if (patches.length === 0) return result;
    // What comes first counts: it is put over what comes after it.
    const patched = patches.reduceRight<CellFormat>((current, patch) => this.#with(current, patch), format);
    return { ...(result ?? plain), format: patched };
  }

  #with(format: CellFormat, patch: FormatPatch): CellFormat {
    let known = this.#patched.get(format);
    if (!known) {
      known = new Map();
      this.#patched.set(format, known);
    }
    let made = known.get(patch);
    if (!made) {
      made = patchFormat(format, patch, 0);
      known.set(patch, made);
    }
    return made;
  }

  #holds(
    rule: Condition,
    areas: readonly Area[],
    { row, column }: { row: number; column: number },
    value: CellValue,
  ): boolean {
    const text = textOfValue(value).toLowerCase();
    const wanted = (rule.text ?? '').toLowerCase();
    // What is looked for may be a cell's: then only the formula says so.
    const isFormula = rule.type === 'expression' || (isAboutText(rule) && rule.text === undefined);
    switch (isFormula ? 'expression' : rule.type) {
      case 'cellIs':
        return compares(
          value,
          rule.operator ?? 'equal',
          rule.formulas.map((formula) => this.#operand(formula, areas, row, column)),
        );
      case 'containsText':
        return wanted !== '' && text.includes(wanted);
      case 'notContainsText':
        return !text.includes(wanted);
      case 'beginsWith':
        return text.startsWith(wanted);
      case 'endsWith':
        return text.endsWith(wanted);
      case 'containsBlanks':
        return text.trim() === '';
      case 'notContainsBlanks':
        return text.trim() !== '';
      case 'containsErrors':
        return isErrorValue(value);
      case 'notContainsErrors':
        return !isErrorValue(value);
      case 'duplicateValues':
        return value !== null && (this.#numbersOf(rule, areas).counts.get(text) ?? 0) > 1;
      case 'uniqueValues':
        return value !== null && this.#numbersOf(rule, areas).counts.get(text) === 1;
      case 'top10':
        return typeof value === 'number' && this.#ranks(rule, areas, value);
      case 'aboveAverage': {
        if (typeof value !== 'number') return false;
        const { mean, deviation } = this.#numbersOf(rule, areas);
        const isBelow = rule.aboveAverage === false;
        const edge = mean + (isBelow ? -1 : 1) * (rule.deviations ?? 0) * deviation;
        if (rule.equalAverage && value === edge) return true;
        return isBelow ? value < edge : value > edge;
      }
      case 'timePeriod': {
        const { today, isFrom1904 } = this.#source;
        return typeof value === 'number' && isInPeriod(value, rule.period ?? '', today, isFrom1904);
      }
      case 'expression': {
        const [formula] = rule.formulas;
        const result = formula === undefined ? undefined : this.#operand(formula, areas, row, column);
        return result === true || (typeof result === 'number' && result !== 0);
      }
      default:
        return false;
    }
  }

  /** What a formula of a rule comes to in a cell; undefined while that is not calculated. */
  #operand(formula: string, areas: readonly Area[], row: number, column: number): CellValue | undefined {
    const operand = this.#operands.get(formula) ?? operandOf(formula);
    this.#operands.set(formula, operand);
    if ('value' in operand) return operand.value;
    const [top, left] = areas[0]!;
    if ('formula' in operand)
      return this.#source.formulaValue?.({ text: operand.formula, row: top, column: left }, row, column);
    const [part] = copiedParts([operand.cell], row - top, column - left);
    if (typeof part === 'string' || !isReference(part!)) return undefined;
    return this.#source.valueAt(part.area[0], part.area[1]);
  }

  #ranks(rule: Condition, areas: readonly Area[], value: number): boolean {
    const { sorted } = this.#numbersOf(rule, areas);
    const rank = rule.rank ?? 10;
    const count = rule.percent ? Math.max(1, Math.floor((sorted.length * rank) / 100)) : rank;
    if (rule.bottom) return value <= (sorted[Math.min(count, sorted.length) - 1] ?? Number.NEGATIVE_INFINITY);
    return value >= (sorted[Math.max(0, sorted.length - count)] ?? Number.POSITIVE_INFINITY);
  }

  /** What a scale, a bar or an icon makes of a number. What a rule that comes first has drawn stays. */
  #scaled(rule: Condition, areas: readonly Area[], value: number, before: Conditioned): Conditioned {
    const { sorted } = this.#numbersOf(rule, areas);
    if (sorted.length === 0) return before;
    const points = rule.points ?? [];
    const places = points.map((point) => this.#placeOf(point, areas, sorted));
    if (places.length === 0 || places.some(Number.isNaN)) return before;
    const hidesText = before.hidesText || rule.showsValue === false;
    if (rule.type === 'iconSet') {
      return { ...before, hidesText, icon: before.icon ?? iconOf(rule, places, value) };
    }
    if (rule.type === 'dataBar') {
      const [lowest = sorted[0]!, highest = sorted.at(-1)!] = places;
      const isChosen = isPlaced(points[0]);
      const color = this.#source.looks.color(rule.color) ?? '#638ec6';
      return {
        ...before,
        hidesText,
        bar: before.bar ?? {
          ...barOf(value, [isChosen ? lowest : Math.min(lowest, 0), highest], color),
          isSolid: rule.solid === true,
        },
      };
    }
    if (before.fill !== null) return before;
    const colors = points.map(({ color }) => this.#source.looks.color(color as never) ?? '#ffffff');
    const above = places.findIndex((place) => value <= place);
    if (above === 0) return { ...before, fill: colors[0]! };
    if (above < 0) return { ...before, fill: colors.at(-1)! };
    const [from, to] = [places[above - 1]!, places[above]!];
    const part = to > from ? (value - from) / (to - from) : 1;
    return { ...before, fill: mixed(colors[above - 1]!, colors[above]!, part) };
  }

  /** Where a point of a scale is among the numbers; not a number while its formula is not calculated, or gives none. */
  #placeOf(point: Point, areas: readonly Area[], sorted: readonly number[]): number {
    if (!isPlaced(point)) return placeOf(point, 0, sorted);
    const [top, left] = areas[0]!;
    const value = this.#operand(point.value ?? '0', areas, top, left);
    return typeof value === 'number' ? placeOf(point, value, sorted) : Number.NaN;
  }

  #numbersOf(rule: Condition, areas: readonly Area[]): Numbers {
    const known = this.#numbers.get(rule);
    if (known) return known;
    const numbers: number[] = [];
    const counts = new Map<string, number>();
    const { used, sheet } = this.#source;
    for (const area of areas) {
      const part = used && intersection(area, used);
      if (!part) continue;
      for (const [row, { columns }] of sheet.grid.rows(part[0], part[2])) {
        for (const column of columns) {
          if (column < part[1] || column > part[3]) continue;
          const value = this.#source.valueAt(row, column);
          if (value === null) continue;
          if (typeof value === 'number') numbers.push(value);
          const text = textOfValue(value).toLowerCase();
          counts.set(text, (counts.get(text) ?? 0) + 1);
        }
      }
    }
    numbers.sort((one, other) => one - other);
    const mean = numbers.reduce((sum, value) => sum + value, 0) / (numbers.length || 1);
    const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const deviation = Math.sqrt(squares / (numbers.length || 1));
    const made = { sorted: numbers, mean, deviation, counts };
    this.#numbers.set(rule, made);
    return made;
  }
}

/** Whether a point of a scale is said by its value, and is not that of the lowest or highest number. */
const isPlaced = (point: Point | undefined): boolean =>
  point !== undefined && ['num', 'percent', 'percentile', 'formula'].includes(point.type);

const isAboutText = ({ type }: Condition): boolean =>
  ['containsText', 'notContainsText', 'beginsWith', 'endsWith'].includes(type);

/** The icon of a number; null where it has none. @param places at least one */
function iconOf({ points = [], icons, reversed }: Condition, places: readonly number[], value: number) {
  const count = places.length;
  const reached = places.filter(
    (place, at) => at === 0 || (points[at]!.inclusive === false ? value > place : value >= place),
  );
  const at = Math.max(0, reached.length - 1);
  const chosen = points[at]!.icon;
  if (chosen?.[0] === 'NoIcons') return null;
  if (chosen) return { set: chosen[0], place: chosen[1], count: Number(chosen[0][0]) };
  return { set: icons ?? '3TrafficLights1', place: reversed ? count - 1 - at : at, count };
}

/** Of what is less than nothing. */
const negativeColor = '#ff0000';

/** A bar begins where nothing is: at the edge of the cell, or between what is less and what is more. */
function barOf(
  value: number,
  [least, highest]: readonly [number, number],
  color: string,
): Omit<DataBar, 'isSolid'> {
  const most = Math.max(highest, least, 0);
  const placeOfNumber = (number: number) =>
    most > least ? Math.min(1, Math.max(0, (number - least) / (most - least))) : 0;
  const [zero, end] = [placeOfNumber(0), placeOfNumber(value)];
  const isLess = value < 0;
  return {
    from: Math.min(zero, end),
    to: Math.max(zero, end),
    color: isLess ? negativeColor : color,
    axis: least < 0 && most > 0 ? zero : null,
  };
}

/** What needs no calculation, the reference to one cell of the sheet, or any other formula. */
type Operand = { readonly value: CellValue } | { readonly cell: FormulaPart } | { readonly formula: string };

/** A number, a text in quotes, a cell, or what has to be calculated. */
function operandOf(formula: string): Operand {
  const trimmed = formula.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return { value: Number(trimmed) };
  const text = quotedText(trimmed);
  if (text !== undefined) return { value: text };
  if (/^(?:true|false)$/i.test(trimmed)) return { value: /^true$/i.test(trimmed) };
  const [part, ...rest] = partsOf(trimmed);
  const isCell =
    part !== undefined &&
    rest.length === 0 &&
    typeof part !== 'string' &&
    isReference(part) &&
    part.type === 'cell' &&
    part.sheet === null;
  return isCell ? { cell: part } : { formula: trimmed };
}

/** Where a point of a scale is among the numbers. @param number what the point names */
function placeOf({ type }: Point, number: number, sorted: readonly number[]): number {
  const [lowest, highest] = [sorted[0]!, sorted.at(-1)!];
  switch (type) {
    case 'max':
    case 'autoMax':
      return highest;
    case 'num':
    case 'formula':
      return number;
    case 'percent':
      return lowest + ((highest - lowest) * number) / 100;
    case 'percentile': {
      const place = ((sorted.length - 1) * number) / 100;
      const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
      return below + (above - below) * (place % 1);
    }
    default:
      return lowest;
  }
}

/** Numbers come before texts, and these before truth values. */
const rankOf = (value: CellValue): number =>
  typeof value === 'number' ? 0 : typeof value === 'boolean' ? 2 : 1;

/** An empty cell counts as nothing of the kind that it is compared with. */
function nothingLike(value: CellValue): CellValue {
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : '';
}

function orderOf(value: CellValue, operand: CellValue | undefined): number {
  if (operand === undefined || isErrorValue(operand)) return Number.NaN;
  const [one, other] = [value ?? nothingLike(operand), operand ?? nothingLike(value)];
  if (rankOf(one) !== rankOf(other)) return rankOf(one) - rankOf(other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [textOfValue(one).toLowerCase(), textOfValue(other).toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
}

function compares(value: CellValue, operator: string, operands: readonly (CellValue | undefined)[]): boolean {
  const [one, other] = operands;
  if (isErrorValue(value)) return false;
  const order = (operand: CellValue | undefined) => orderOf(value, operand);
  const first = order(one);
  switch (operator) {
    case 'equal':
      return first === 0;
    case 'notEqual':
      return first !== 0;
    case 'greaterThan':
      return first > 0;
    case 'greaterThanOrEqual':
      return first >= 0;
    case 'lessThan':
      return first < 0;
    case 'lessThanOrEqual':
      return first <= 0;
    case 'between':
      return first >= 0 && order(other) <= 0;
    case 'notBetween':
      return first < 0 || order(other) > 0;
    default:
      return false;
  }
}
