import { Pencil, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { sheetOf } from '../../../model/cell/workbook.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import {
  absoluteReference,
  problemWithDefinedName,
  removeName,
  setName,
  shownNames,
} from '../commands/names.ts';
import { modelText, shownText } from '../editing/typed-formula.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

interface Draft {
  readonly id: string | null;
  readonly name: string;
  readonly formula: string;
  readonly scope: string | null;
  readonly comment: string;
}

/** All names of the workbook, and a form for one of them or a new one. */
export function NamesDialog({ editor, onClose }: RuleDialogProps) {
  const fresh = (): Draft => ({
    id: null,
    name: '',
    formula: absoluteReference(editor.sheet, editor.range),
    scope: null,
    comment: '',
  });
  const [draft, setDraft] = useState<Draft>(fresh);
  const { locale } = editor.settings;
  const workbook = editor.workbook.value;
  const { id, name, formula, scope, comment } = draft;
  const change = (patch: Partial<Draft>) => setDraft({ ...draft, ...patch });
  const problem =
    name === ''
      ? null
      : (problemWithDefinedName(workbook, name, scope, id) ??
        (formula.trim().replace(/^=/, '') === '' ? t('ruleDialogs.formulaEmpty') : null));
  const scopeName = (of: string | null | undefined) =>
    of ? (sheetOf(workbook, of)?.properties.name ?? '') : t('ruleDialogs.wholeBook');
  return (
    <FormDialog
      title={t('rules.names')}
      submitLabel={t(id === null ? 'ruleDialogs.addName' : 'ruleDialogs.changeName')}
      canSubmit={name !== '' && problem === null}
      onClose={onClose}
      onSubmit={() => {
        const typed = draft.formula.trim().replace(/^=/, '');
        if (setName(editor, id, { ...draft, formula: modelText(typed, locale) })) setDraft(fresh());
      }}
    >
      <ul class="rule-list" aria-label={t('rules.names')}>
        {shownNames(editor).map(([one, item]) => (
          <li key={one} aria-current={one === id}>
            <span>
              {item.name}
              <small>
                ={shownText(item.formula, locale)} · {scopeName(item.scope)}
              </small>
            </span>
            <span class="rule-buttons">
              <IconButton
                label={t('ruleDialogs.changeOf', { name: item.name })}
                onClick={() => {
                  const { scope: of = null, comment: about = '' } = item;
                  const shown = shownText(item.formula, locale);
                  setDraft({ id: one, name: item.name, formula: shown, scope: of, comment: about });
                }}
              >
                <Pencil size={16} />
              </IconButton>
              <IconButton
                label={t('ruleDialogs.deleteOf', { name: item.name })}
                onClick={() => {
                  removeName(editor, one);
                  if (id === one) setDraft(fresh());
                }}
              >
                <Trash2 size={16} />
              </IconButton>
            </span>
          </li>
        ))}
      </ul>
      <div class="field-row">
        <label class="field">
          {t('sheet.name')}
          <input
            data-first
            value={name}
            onInput={(event) => change({ name: event.currentTarget.value.trim() })}
          />
        </label>
        <label class="field">
          {t('ruleDialogs.scope')}
          <select
            value={scope ?? ''}
            onChange={(event) => change({ scope: event.currentTarget.value || null })}
          >
            <option value="">{t('ruleDialogs.wholeBook')}</option>
            {workbook.sheets.map(({ id: of, properties }) => (
              <option key={of} value={of}>
                {properties.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="field">
        {t('ruleDialogs.refersTo')}
        <input
          value={formula}
          spellcheck={false}
          onInput={(event) => change({ formula: event.currentTarget.value })}
        />
      </label>
      <label class="field">
        {t('ruleDialogs.remark')}
        <input value={comment} onInput={(event) => change({ comment: event.currentTarget.value })} />
      </label>
      <p class="field-error" role="alert">
        {problem ?? ''}
      </p>
      {id !== null && <Button onClick={() => setDraft(fresh())}>{t('ruleDialogs.newName')}</Button>}
    </FormDialog>
  );
}
