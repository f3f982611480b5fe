import { useState } from 'preact/hooks';
import { typedValue } from '../../../model/cell/formats/typed-value.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { setValidation, validationHere } from '../commands/validating.ts';
import type { Validation } from '../commands/validation.ts';
import { modelText, shownText } from '../editing/typed-formula.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

const types = ['any', 'list', 'whole', 'decimal', 'date', 'time', 'textLength', 'custom'] as const;
const operators = [
  ...['between', 'notBetween', 'equal', 'notEqual', 'greaterThan', 'lessThan'],
  ...['greaterThanOrEqual', 'lessThanOrEqual'],
] as const;
type Operator =
  | 'between'
  | 'notBetween'
  | 'equal'
  | 'notEqual'
  | 'greaterThan'
  | 'lessThan'
  | 'greaterThanOrEqual'
  | 'lessThanOrEqual';
const styles = ['stop', 'warning', 'information'] as const;

/** What may be typed into the selected cells, what is said beside them, and what happens to anything else. */
export function ValidationDialog({ editor, onClose }: RuleDialogProps) {
  const [before] = useState(() => validationHere(editor));
  const [type, setType] = useState<Validation['type']>(before?.type ?? 'any');
  const [operator, setOperator] = useState(before?.operator ?? 'between');
  const [problem, setProblem] = useState('');
  const [one = '', two = ''] = before?.formulas ?? [];
  const hasTwo = operator === 'between' || operator === 'notBetween';
  const isCompared = type !== 'any' && type !== 'list' && type !== 'custom';
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    if (type === 'any') {
      setValidation(editor, null);
      return onClose();
    }
    const given = [text('one'), ...(isCompared && hasTwo ? [text('two')] : [])];
    if (given.includes('')) return setProblem(t('ruleDialogs.valueMissing'));
    const formulas = given.map((value) => formulaOf(value, type, editor.settings));
    const optional = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
    const isDone = setValidation(editor, {
      type,
      formulas,
      ...(isCompared && operator !== 'between' && { operator }),
      ...(fields.has('allowsBlank') && { allowsBlank: true }),
      ...(type === 'list' && !fields.has('showsArrow') && { hidesArrow: true }),
      ...(text('style') !== 'stop' && { style: text('style') as 'warning' }),
      showsError: true,
      showsPrompt: true,
      ...optional('promptTitle'),
      ...optional('prompt'),
      ...optional('errorTitle'),
      ...optional('error'),
    });
    if (isDone) onClose();
  };
  return (
    <FormDialog
      title={t('ruleDialogs.validationOf', { range: editor.selectionName })}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={submit}
    >
      <div class="field-row">
        <label class="field">
          {t('ruleDialogs.allow')}
          <select
            data-first
            value={type}
            onChange={(event) => setType(event.currentTarget.value as Validation['type'])}
          >
            {types.map((name) => (
              <option key={name} value={name}>
                {t(`ruleDialogs.allow_${name}`)}
              </option>
            ))}
          </select>
        </label>
        {isCompared && (
          <label class="field">
            {t('ruleDialogs.comparison')}
            <select value={operator} onChange={(event) => setOperator(event.currentTarget.value)}>
              {operators.map((name) => (
                <option key={name} value={name}>
                  {t(`ruleDialogs.op_${name as Operator}`)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {type !== 'any' && (
        <div class={isCompared && hasTwo ? 'field-row' : ''}>
          <label class="field">
            {t(
              type === 'list'
                ? 'ruleDialogs.source'
                : type === 'custom'
                  ? 'ruleDialogs.formula'
                  : 'ruleDialogs.value',
            )}
            <input
              name="one"
              key={type}
              defaultValue={shownBound(one, before?.type === type ? type : null, editor.settings.locale)}
              spellcheck={false}
            />
          </label>
          {isCompared && hasTwo && (
            <label class="field">
              {t('ruleDialogs.secondValue')}
              <input
                name="two"
                key={type}
                defaultValue={shownBound(two, before?.type === type ? type : null, editor.settings.locale)}
                spellcheck={false}
              />
            </label>
          )}
        </div>
      )}
      {type === 'list' && <small>{t('ruleDialogs.sourceHelp')}</small>}
      {type !== 'any' && (
        <>
          <label class="check">
            <input type="checkbox" name="allowsBlank" defaultChecked={before?.allowsBlank !== false} />
            {t('ruleDialogs.allowsBlank')}
          </label>
          {type === 'list' && (
            <label class="check">
              <input type="checkbox" name="showsArrow" defaultChecked={before?.hidesArrow !== true} />
              {t('ruleDialogs.showsArrow')}
            </label>
          )}
          <div class="field-row">
            <label class="field">
              {t('ruleDialogs.promptTitle')}
              <input name="promptTitle" maxLength={32} defaultValue={before?.promptTitle ?? ''} />
            </label>
            <label class="field">
              {t('ruleDialogs.prompt')}
              <input name="prompt" maxLength={255} defaultValue={before?.prompt ?? ''} />
            </label>
          </div>
          <label class="field">
            {t('ruleDialogs.whenWrong')}
            <select name="style" defaultValue={before?.style ?? 'stop'}>
              {styles.map((name) => (
                <option key={name} value={name} selected={name === (before?.style ?? 'stop')}>
                  {t(`ruleDialogs.style_${name}`)}
                </option>
              ))}
            </select>
          </label>
          <div class="field-row">
            <label class="field">
              {t('ruleDialogs.errorTitle')}
              <input name="errorTitle" maxLength={32} defaultValue={before?.errorTitle ?? ''} />
            </label>
            <label class="field">
              {t('ruleDialogs.error')}
              <input name="error" maxLength={225} defaultValue={before?.error ?? ''} />
            </label>
          </div>
        </>
      )}
      <p class="field-error" role="alert">
        {problem}
      </p>
    </FormDialog>
  );
}

/** What a file has for a bound or a source that was typed: numbers and days as numbers, words in quotes. */
export function formulaOf(
  text: string,
  type: Validation['type'],
  settings: Parameters<typeof typedValue>[2],
): string {
  if (text.startsWith('=')) return modelText(text.slice(1), settings.locale);
  if (type === 'custom') return modelText(text, settings.locale);
  if (type === 'list') {
    const words = text.split(/[,;\n]/).map((word) => word.trim());
    return `"${words
      .filter((word) => word !== '')
      .join(',')
      .replaceAll('"', '""')}"`;
  }
  const typed = typedValue(text, 'General', settings);
  return typed.kind === 'number' ? String(typed.number) : text;
}

/** A bound as it is typed: a formula with its equals sign. */
function shownBound(formula: string, type: Validation['type'] | null, locale: string): string {
  if (type === null || formula === '') return '';
  const quoted = /^"((?:[^"]|"")*)"$/.exec(formula);
  if (quoted) return quoted[1]!.replaceAll('""', '"');
  if (/^-?\d+(?:\.\d+)?$/.test(formula)) return formula;
  return type === 'custom' ? shownText(formula, locale) : `=${shownText(formula, locale)}`;
}
