import { Pencil, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { ItemOf } from '../../../model/cell/items.ts';
import { namesOf, sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { problemWithDefinedName, removeName, selectedReference, setName } from '../commands/name-making.ts';
import { shownNames } from '../commands/names.ts';
import { formulaFault } from '../editing/formula-fault.ts';
import { modelText, shownText } from '../editing/typed-formula.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

interface Draft {
  readonly id: string | null;
  readonly name: string;
  readonly formula: string;
  /** The formula as it was when the form began. */
  readonly begun: string;
  readonly scope: string | null;
  readonly comment: string;
}

/** All names of the workbook, and a form for one of them or a new one. */
export function NamesDialog({ editor, onClose }: RuleDialogProps) {
  const { draft, setDraft, clear } = useDraft(editor);
  const { id, name } = draft;
  const problem = problemWith(draft, editor);
  return (
    <FormDialog
      title={t('rules.names')}
      submitLabel={t(id === null ? 'ruleDialogs.addName' : 'ruleDialogs.changeName')}
      canSubmit={name !== '' && problem === null}
      onClose={onClose}
      onSubmit={() => {
        const formula =
          draft.formula === draft.begun
            ? formulaNow(editor, id)
            : modelText(withoutSign(draft.formula), editor.page.settings.locale);
        if (setName(editor, id, { ...draft, formula })) clear();
      }}
    >
      <ul class="rule-list" aria-label={t('rules.names')}>
        {shownNames(editor).map(([one, item]) => (
          <NameEntry
            key={one}
            editor={editor}
            item={item}
            isEdited={one === id}
            onEdit={(edited) => setDraft({ id: one, begun: edited.formula, ...edited })}
            onRemove={() => {
              removeName(editor, one);
              if (id === one) clear();
            }}
          />
        ))}
      </ul>
      <NameFields
        draft={draft}
        workbook={editor.page.workbook.value}
        onChange={(patch) => setDraft({ ...draft, ...patch })}
      />
      <FieldError text={problem} />
      {id !== null && <Button onClick={clear}>{t('ruleDialogs.newName')}</Button>}
    </FormDialog>
  );
}

/** The name that is made or changed; at first a new one for what is selected. */
function useDraft(editor: CellEditor) {
  const fresh = (): Draft => {
    const formula = shownText(selectedReference(editor), editor.page.settings.locale);
    return { id: null, name: '', formula, begun: formula, scope: null, comment: '' };
  };
  const [draft, setDraft] = useState<Draft>(fresh);
  return { draft, setDraft, clear: () => setDraft(fresh()) };
}

/** The formula that a form begins with, wherever others have moved its cells meanwhile. */
const formulaNow = (editor: CellEditor, id: string | null): string =>
  (id === null ? undefined : namesOf(editor.page.workbook.peek()).get(id)?.formula) ??
  selectedReference(editor);

const withoutSign = (formula: string): string => formula.trim().replace(/^=/, '');

function problemWith({ id, name, formula, scope }: Draft, editor: CellEditor): string | null {
  if (name === '') return null;
  const { settings, workbook } = editor.page;
  const problem = problemWithDefinedName(workbook.value, name, scope, id);
  if (problem) return problem;
  const plain = withoutSign(formula);
  if (plain === '') return t('ruleDialogs.formulaEmpty');
  // What a file has stays where it is left alone.
  const known = id === null ? undefined : namesOf(workbook.value).get(id);
  const isKnown = known !== undefined && shownText(known.formula, settings.locale) === plain;
  return isKnown ? null : formulaFault(`=${plain}`, settings.locale);
}

interface NameEntryProps {
  editor: CellEditor;
  item: ItemOf<'name'>;
  isEdited: boolean;
  onEdit: (edited: Omit<Draft, 'id' | 'begun'>) => void;
  onRemove: () => void;
}

function NameEntry({ editor, item, isEdited, onEdit, onRemove }: NameEntryProps) {
  const { name, scope = null, comment = '' } = item;
  const formula = shownText(item.formula, editor.page.settings.locale);
  const scopeName = scope
    ? (sheetOf(editor.page.workbook.value, scope)?.properties.name ?? '')
    : t('ruleDialogs.wholeBook');
  return (
    <li aria-current={isEdited}>
      <span>
        {name}
        <small>
          ={formula} · {scopeName}
        </small>
      </span>
      <span class="rule-buttons">
        <IconButton
          label={t('ruleDialogs.changeOf', { name })}
          onClick={() => onEdit({ name, formula, scope, comment })}
        >
          <Pencil size={16} />
        </IconButton>
        <IconButton label={t('ruleDialogs.deleteOf', { name })} onClick={onRemove}>
          <Trash2 size={16} />
        </IconButton>
      </span>
    </li>
  );
}

interface NameFieldsProps {
  draft: Draft;
  workbook: Workbook;
  onChange: (patch: Partial<Draft>) => void;
}

function NameFields({ draft, workbook, onChange }: NameFieldsProps) {
  const sheets = workbook.sheets.map(({ id, properties }) => [id, properties.name] as const);
  return (
    <>
      <div class="field-row">
        <InputField
          label={t('sheet.name')}
          data-first
          value={draft.name}
          onInput={(event) => onChange({ name: event.currentTarget.value.trim() })}
        />
        <SelectField
          label={t('ruleDialogs.scope')}
          options={[['', t('ruleDialogs.wholeBook')], ...sheets]}
          value={draft.scope ?? ''}
          onChoose={(scope) => onChange({ scope: scope || null })}
        />
      </div>
      <InputField
        label={t('ruleDialogs.refersTo')}
        value={draft.formula}
        spellcheck={false}
        onInput={(event) => onChange({ formula: event.currentTarget.value })}
      />
      <InputField
        label={t('ruleDialogs.remark')}
        value={draft.comment}
        onInput={(event) => onChange({ comment: event.currentTarget.value })}
      />
    </>
  );
}
