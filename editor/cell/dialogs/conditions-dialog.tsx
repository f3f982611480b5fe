import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { FormatPatch } from '../../../model/cell/cell-format.ts';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import {
  type ConditionDraft,
  conditionsOf,
  draftOf,
  moveCondition,
  putCondition,
  removeCondition,
} from '../commands/conditions.ts';
import { areasName, readAreas } from '../commands/ruled-areas.ts';
import { modelText, shownText } from '../editing/typed-formula.ts';
import { areaOfRange } from '../grid/cell-range.ts';
import { datePeriods } from '../shown/date-periods.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

const types = [
  ...['cellIs', 'containsText', 'notContainsText', 'beginsWith', 'endsWith', 'timePeriod'],
  ...['duplicateValues', 'uniqueValues', 'top10', 'aboveAverage', 'containsBlanks', 'notContainsBlanks'],
  ...['containsErrors', 'notContainsErrors', 'expression', 'colorScale', 'dataBar', 'iconSet'],
] as const;
const operators = [
  ...['greaterThan', 'lessThan', 'between', 'notBetween', 'equal', 'notEqual'],
  ...['greaterThanOrEqual', 'lessThanOrEqual'],
] as const;
const iconSets = [
  ...['3Arrows', '3ArrowsGray', '3Flags', '3TrafficLights1', '3Signs', '3Symbols', '4Arrows', '4Rating'],
  ...['5Arrows', '5Rating', '5Quarters'],
] as const;
const withText = ['containsText', 'notContainsText', 'beginsWith', 'endsWith'];
const drawn = ['colorScale', 'dataBar', 'iconSet'];
const label = (name: string) => t(`ruleDialogs.${name}` as StringKey);

interface Edited {
  readonly id: string | null;
  readonly draft: ConditionDraft;
  readonly areas: string;
}

/** The rules of the sheet in their order, and one of them to make or change. */
export function ConditionsDialog({ editor, onClose }: RuleDialogProps) {
  const selected = areasName(editor.selection.value.ranges.map(areaOfRange));
  const fresh: Edited = { id: null, draft: { type: 'cellIs', operator: 'greaterThan' }, areas: selected };
  const rules = conditionsOf(editor);
  const [edited, setEdited] = useState<Edited | null>(rules.length === 0 ? fresh : null);
  if (edited) {
    const leave = () => (conditionsOf(editor).length === 0 ? onClose() : setEdited(null));
    return <ConditionForm key="form" editor={editor} edited={edited} onClose={leave} />;
  }
  return (
    <Dialog
      key="list"
      title={t('rules.conditions')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => setEdited(fresh)}>{t('ruleDialogs.newCondition')}</Button>
          <Button kind="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('ruleDialogs.conditionOrder')}</p>
      <ol class="rule-list">
        {rules.map(([id, rule], at) => {
          const name = conditionName(draftOf(rule));
          return (
            <li key={id}>
              <span>
                <span class="rule-sample" style={sampleStyle(rule.format as FormatPatch | undefined)}>
                  {name}
                </span>
                <small>{areasName(rule.areas)}</small>
              </span>
              <span class="rule-buttons">
                <IconButton
                  label={t('ruleDialogs.earlierOf', { name })}
                  disabled={at === 0}
                  onClick={() => moveCondition(editor, id, -1)}
                >
                  <ArrowUp size={16} />
                </IconButton>
                <IconButton
                  label={t('ruleDialogs.laterOf', { name })}
                  disabled={at === rules.length - 1}
                  onClick={() => moveCondition(editor, id, 1)}
                >
                  <ArrowDown size={16} />
                </IconButton>
                <IconButton
                  label={t('ruleDialogs.changeOf', { name })}
                  onClick={() => setEdited({ id, draft: draftOf(rule), areas: areasName(rule.areas) })}
                >
                  <Pencil size={16} />
                </IconButton>
                <IconButton
                  label={t('ruleDialogs.deleteOf', { name })}
                  onClick={() => removeCondition(editor, id)}
                >
                  <Trash2 size={16} />
                </IconButton>
              </span>
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}

/** What a rule asks for, in a few words. */
function conditionName({
  type,
  operator = 'equal',
  values = [],
  text,
  period,
  rank,
}: ConditionDraft): string {
  const kind = (types as readonly string[]).includes(type) ? label(`if_${type}`) : type;
  if (type === 'cellIs') return `${kind} ${label(`op_${operator}`)} ${values.join(' – ')}`;
  if (type === 'timePeriod') return `${kind}: ${label(`period_${period ?? 'today'}`)}`;
  if (type === 'top10') return `${kind}: ${rank ?? 10}`;
  if (type === 'expression') return `${kind}: =${values[0] ?? ''}`;
  return text ? `${kind} “${text}”` : kind;
}

const colorOf = (color: unknown): string | null => {
  const { rgb } = (color ?? {}) as { rgb?: string };
  return typeof rgb === 'string' ? `#${rgb.slice(-6).toLowerCase()}` : null;
};

function sampleStyle(format: FormatPatch | undefined): Record<string, string> {
  const fill = format?.fill as { color?: unknown } | null | undefined;
  const [background, color] = [colorOf(fill?.color), colorOf(format?.font?.color)];
  return {
    ...(background && { background }),
    ...(color ? { color } : background ? { color: '#000000' } : {}),
    ...(format?.font?.bold && { 'font-weight': '700' }),
    ...(format?.font?.italic && { 'font-style': 'italic' }),
  };
}

function ConditionForm({ editor, edited, onClose }: RuleDialogProps & { edited: Edited }) {
  const { draft } = edited;
  const [type, setType] = useState(draft.type);
  const [operator, setOperator] = useState(draft.operator ?? 'greaterThan');
  const [problem, setProblem] = useState('');
  const hasTwo = type === 'cellIs' && (operator === 'between' || operator === 'notBetween');
  const format = draft.format;
  const fill = colorOf((format?.fill as { color?: unknown } | null | undefined)?.color);
  const scale = draft.points?.map(({ color }) => colorOf(color)) ?? [];
  const submit = (fields: FormData) => {
    const areas = readAreas(String(fields.get('areas')));
    if (!areas) return setProblem(t('ruleDialogs.noRange'));
    const made = draftFrom(fields, type, operator, hasTwo, editor.settings);
    if (typeof made === 'string') return setProblem(made);
    if (putCondition(editor, edited.id, made, areas)) onClose();
  };
  return (
    <FormDialog
      title={t(edited.id === null ? 'ruleDialogs.newCondition' : 'ruleDialogs.changeCondition')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={submit}
    >
      <label class="field">
        {t('ruleDialogs.cells')}
        <input name="areas" defaultValue={edited.areas} required spellcheck={false} />
      </label>
      <div class="field-row">
        <label class="field">
          {t('ruleDialogs.when')}
          <select data-first value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {types.map((name) => (
              <option key={name} value={name}>
                {label(`if_${name}`)}
              </option>
            ))}
          </select>
        </label>
        {type === 'cellIs' && (
          <label class="field">
            {t('ruleDialogs.comparison')}
            <select value={operator} onChange={(event) => setOperator(event.currentTarget.value)}>
              {operators.map((name) => (
                <option key={name} value={name}>
                  {label(`op_${name}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        {type === 'timePeriod' && (
          <label class="field">
            {t('ruleDialogs.period')}
            <select name="period">
              {datePeriods.map((name) => (
                <option key={name} value={name} selected={name === draft.period}>
                  {label(`period_${name}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        {withText.includes(type) && (
          <label class="field">
            {t('ruleDialogs.text')}
            <input name="text" defaultValue={draft.text ?? ''} />
          </label>
        )}
        {type === 'aboveAverage' && (
          <label class="field">
            {t('ruleDialogs.comparison')}
            <select name="average">
              <option value="above">{t('ruleDialogs.above')}</option>
              <option value="below" selected={draft.aboveAverage === false}>
                {t('ruleDialogs.below')}
              </option>
            </select>
          </label>
        )}
        {type === 'iconSet' && (
          <label class="field">
            {t('ruleDialogs.icons')}
            <select name="icons">
              {iconSets.map((name) => (
                <option key={name} value={name} selected={name === draft.icons}>
                  {label(`icons_${name}`)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {(type === 'cellIs' || type === 'expression') && (
        <div class={hasTwo ? 'field-row' : ''}>
          <label class="field">
            {t(type === 'expression' ? 'ruleDialogs.formula' : 'ruleDialogs.value')}
            <input
              name="one"
              key={type}
              defaultValue={shownValue(draft, type, 0, editor.settings.locale)}
              spellcheck={false}
            />
          </label>
          {hasTwo && (
            <label class="field">
              {t('ruleDialogs.secondValue')}
              <input
                name="two"
                defaultValue={shownValue(draft, type, 1, editor.settings.locale)}
                spellcheck={false}
              />
            </label>
          )}
        </div>
      )}
      {type === 'top10' && (
        <div class="field-row">
          <label class="field">
            {t('ruleDialogs.comparison')}
            <select name="end">
              <option value="top">{t('ruleDialogs.highest')}</option>
              <option value="bottom" selected={draft.bottom === true}>
                {t('ruleDialogs.lowest')}
              </option>
            </select>
          </label>
          <label class="field">
            {t('ruleDialogs.howMany')}
            <input name="rank" type="number" min={1} max={1000} defaultValue={String(draft.rank ?? 10)} />
          </label>
          <label class="check">
            <input name="percent" type="checkbox" defaultChecked={draft.percent === true} />
            {t('sheet.percent')}
          </label>
        </div>
      )}
      {type === 'colorScale' && (
        <div class="field-row">
          <ColorField name="low" label={t('ruleDialogs.lowest')} color={scale[0] ?? '#f8696b'} />
          <ColorField
            name="middle"
            label={t('ruleDialogs.middle')}
            color={scale.length > 2 ? scale[1]! : '#ffeb84'}
          />
          <ColorField name="high" label={t('ruleDialogs.highest')} color={scale.at(-1) ?? '#63be7b'} />
        </div>
      )}
      {type === 'dataBar' && (
        <ColorField name="bar" label={t('ruleDialogs.barColor')} color={colorOf(draft.color) ?? '#638ec6'} />
      )}
      {type === 'iconSet' && (
        <label class="check">
          <input name="reversed" type="checkbox" defaultChecked={draft.reversed === true} />
          {t('ruleDialogs.reversed')}
        </label>
      )}
      {!drawn.includes(type) && (
        <fieldset class="rule-checks">
          <legend>{t('ruleDialogs.look')}</legend>
          <div class="field-row">
            <ColorField
              name="fill"
              label={t('sheet.fillColor')}
              color={fill ?? '#ffc7ce'}
              isOn={!format || fill !== null}
            />
            <ColorField
              name="font"
              label={t('ruleDialogs.fontColor')}
              color={colorOf(format?.font?.color) ?? '#9c0006'}
              isOn={!format || colorOf(format.font?.color) !== null}
            />
          </div>
          <label>
            <input name="bold" type="checkbox" defaultChecked={format?.font?.bold === true} />
            {t('actions.bold')}
          </label>
          <label>
            <input name="italic" type="checkbox" defaultChecked={format?.font?.italic === true} />
            {t('actions.italic')}
          </label>
          <label>
            <input name="stops" type="checkbox" defaultChecked={draft.stops === true} />
            {t('ruleDialogs.stops')}
          </label>
        </fieldset>
      )}
      <p class="field-error" role="alert">
        {problem}
      </p>
    </FormDialog>
  );
}

interface ColorFieldProps {
  name: string;
  label: string;
  color: string;
  /** With a box to tick, whether it is; without, the colour always counts. */
  isOn?: boolean;
}

function ColorField({ name, label: text, color, isOn }: ColorFieldProps) {
  return (
    <span class="color-field">
      {isOn !== undefined && (
        <input type="checkbox" name={`${name}On`} aria-label={text} defaultChecked={isOn} />
      )}
      <label>
        <input type="color" name={name} defaultValue={color} />
        {text}
      </label>
    </span>
  );
}

/** A value as it is typed: a formula with its equals sign, words without their quotes. */
function shownValue(
  { type, values = [] }: ConditionDraft,
  shown: string,
  at: number,
  locale: string,
): string {
  const value = values[at];
  if (value === undefined || type !== shown) return '';
  if (type === 'expression') return `=${shownText(value, locale)}`;
  const quoted = /^"((?:[^"]|"")*)"$/.exec(value);
  if (quoted) return quoted[1]!.replaceAll('""', '"');
  return /^-?\d+(?:\.\d+)?$/.test(value) ? value : `=${shownText(value, locale)}`;
}

/** What the form says, or why it says too little. */
function draftFrom(
  fields: FormData,
  type: string,
  operator: string,
  hasTwo: boolean,
  settings: Parameters<typeof typedValue>[2],
): ConditionDraft | string {
  const text = (name: string) => String(fields.get(name) ?? '').trim();
  const color = (name: string) => ({ rgb: text(name).slice(1).toUpperCase() });
  if (type === 'colorScale') {
    const points = [
      { type: 'min', color: color('low') },
      { type: 'percentile', value: '50', color: color('middle') },
      { type: 'max', color: color('high') },
    ];
    return { type, points };
  }
  if (type === 'dataBar') return { type, points: [{ type: 'min' }, { type: 'max' }], color: color('bar') };
  if (type === 'iconSet') {
    const icons = text('icons');
    const count = Number(icons[0]);
    const points = Array.from({ length: count }, (_, at) => ({
      type: 'percent',
      value: String(Math.round((100 / count) * at)),
    }));
    return { type, icons, points, ...(fields.has('reversed') && { reversed: true }) };
  }
  const font = {
    ...(fields.has('fontOn') && { color: color('font') }),
    ...(fields.has('bold') && { bold: true }),
    ...(fields.has('italic') && { italic: true }),
  };
  const format: FormatPatch = {
    ...(Object.keys(font).length > 0 && { font }),
    ...(fields.has('fillOn') && { fill: { pattern: 'solid', color: color('fill') } }),
  } as FormatPatch;
  const common = { type, format, ...(fields.has('stops') && { stops: true }) };
  const operandOf = (name: string) => {
    const given = text(name);
    if (given.startsWith('=') || type === 'expression')
      return modelText(given.replace(/^=/, ''), settings.locale);
    const typed = typedValue(given, 'General', settings);
    return typed.kind === 'number' ? String(typed.number) : `"${given.replaceAll('"', '""')}"`;
  };
  if (type === 'cellIs' || type === 'expression') {
    const names = hasTwo ? ['one', 'two'] : ['one'];
    if (names.some((name) => text(name).replace(/^=/, '') === '')) return t('ruleDialogs.valueMissing');
    return { ...common, ...(type === 'cellIs' && { operator }), values: names.map(operandOf) };
  }
  if (withText.includes(type)) {
    if (text('text') === '') return t('ruleDialogs.valueMissing');
    const named: Readonly<Record<string, string>> = { notContainsText: 'notContains' };
    return { ...common, operator: named[type] ?? type, text: text('text') };
  }
  if (type === 'timePeriod') return { ...common, period: text('period') };
  if (type === 'aboveAverage')
    return { ...common, ...(text('average') === 'below' && { aboveAverage: false }) };
  if (type === 'top10') {
    return {
      ...common,
      rank: Math.max(1, Number(text('rank')) || 10),
      ...(fields.has('percent') && { percent: true }),
      ...(text('end') === 'bottom' && { bottom: true }),
    };
  }
  return common;
}
