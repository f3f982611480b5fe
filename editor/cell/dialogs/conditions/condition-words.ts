import { type StringKey, t } from '../../../strings/strings.ts';
import type { ConditionDraft } from '../../commands/conditions.ts';
import { shownText } from '../../editing/typed-formula.ts';
import { shownOperand } from '../rule-operand.ts';

/** The kinds of rules that can be made, in the order in which they are offered. */
export const conditionTypes: readonly string[] = [
  ...['cellIs', 'containsText', 'notContainsText', 'beginsWith', 'endsWith', 'timePeriod'],
  ...['duplicateValues', 'uniqueValues', 'top10', 'aboveAverage', 'containsBlanks', 'notContainsBlanks'],
  ...['containsErrors', 'notContainsErrors', 'expression', 'colorScale', 'dataBar', 'iconSet'],
];

/** The words of a dialog about rules for one of its values. */
const ruleWord = (name: string): string => t(`ruleDialogs.${name}` as StringKey);

/** Values to choose from with their words, which begin with `stem`. */
export const ruleOptions = (stem: string, names: readonly string[]): (readonly [string, string])[] =>
  names.map((name) => [name, ruleWord(`${stem}_${name}`)]);

/** What a rule asks for, in a few words. */
export function conditionName(
  { type, operator = 'equal', values = [], text, period, ...asked }: ConditionDraft,
  locale: string,
): string {
  const kind = conditionTypes.includes(type) ? ruleWord(`if_${type}`) : type;
  if (type === 'cellIs') {
    const operands = values.map((value) => shownOperand(value, locale)).join(' – ');
    return `${kind} ${ruleWord(`op_${operator}`)} ${operands}`;
  }
  if (type === 'timePeriod') return `${kind}: ${ruleWord(`period_${period ?? 'today'}`)}`;
  if (type === 'top10') {
    const end = t(asked.bottom ? 'ruleDialogs.lowest' : 'ruleDialogs.highest');
    return `${kind}: ${end} ${asked.rank ?? 10}${asked.percent ? ' %' : ''}`;
  }
  if (type === 'aboveAverage')
    return `${kind}: ${t(asked.aboveAverage === false ? 'ruleDialogs.below' : 'ruleDialogs.above')}`;
  if (type === 'expression') return `${kind}: =${shownText(values[0] ?? '', locale)}`;
  return text ? `${kind} “${text}”` : kind;
}
