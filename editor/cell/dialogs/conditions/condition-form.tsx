import { useState } from 'preact/hooks';
import { FieldError } from '../../../kit/field-error.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { InputField } from '../../../kit/input-field.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { t } from '../../../strings/strings.ts';
import { type ConditionDraft, putCondition } from '../../commands/conditions.ts';
import { readAreas } from '../../commands/ruled-areas.ts';
import { valueFault } from '../field-fault.ts';
import { tellCellsAreGone, useFollowedCells } from '../followed-cells.ts';
import type { RuleDialogProps } from '../rule-dialog.ts';
import { takesTwo } from '../rule-operand.ts';
import { ConditionDetail, ConditionValues, DrawnFields, RankFields } from './condition-fields.tsx';
import { conditionTypes, ruleOptions } from './condition-words.ts';
import { LookFields } from './look-fields.tsx';
import { isDrawn, typedCondition } from './typed-condition.ts';

const operators = [
  ...['greaterThan', 'lessThan', 'between', 'notBetween', 'equal', 'notEqual'],
  ...['greaterThanOrEqual', 'lessThanOrEqual'],
];

/** A rule that is made, or changed: then it has its id. */
export interface EditedCondition {
  readonly id: string | null;
  readonly draft: ConditionDraft;
  /** Its cells, as they are typed. */
  readonly areas: string;
}

/** Says what a rule asks for, and what cells look like by it. */
export function ConditionForm({ editor, edited, onClose }: RuleDialogProps & { edited: EditedCondition }) {
  const { draft } = edited;
  const followed = useFollowedCells(editor);
  const { settings } = editor.page;
  const theme = editor.page.workbook.value.properties.theme?.colors;
  const [type, setType] = useState<string>(draft.type);
  const [operator, setOperator] = useState(draft.operator ?? 'greaterThan');
  const [icons, setIcons] = useState(draft.icons ?? '3Arrows');
  const [problem, setProblem] = useState('');
  const count = type === 'cellIs' && takesTwo(operator) ? 2 : 1;
  const submit = (fields: FormData) => {
    const typedAreas = String(fields.get('areas'));
    const read = readAreas(typedAreas);
    // As they stand there they are those of the moment when the dialog was opened.
    const areas =
      typedAreas === edited.areas ? read?.map(followed).filter((area) => area !== null) : (read ?? undefined);
    if (areas?.length === 0) {
      tellCellsAreGone();
      return onClose();
    }
    if (!areas) return setProblem(t('ruleDialogs.noRange'));
    const typed = typedCondition(fields, { type, operator, count }, { settings, before: draft, theme });
    if (!typed) return setProblem(t('ruleDialogs.valueMissing'));
    const fault = valueFault(fields, type === 'expression', settings.locale);
    if (fault) return setProblem(fault);
    if (putCondition(editor, edited.id, typed, areas)) onClose();
  };
  return (
    <FormDialog
      title={t(edited.id === null ? 'ruleDialogs.newCondition' : 'ruleDialogs.changeCondition')}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={submit}
    >
      <InputField
        label={t('ruleDialogs.cells')}
        name="areas"
        defaultValue={edited.areas}
        required
        spellcheck={false}
      />
      <div class="field-row">
        <SelectField
          label={t('ruleDialogs.when')}
          data-first
          options={ruleOptions('if', conditionTypes)}
          value={type}
          onChoose={setType}
        />
        {type === 'cellIs' && (
          <SelectField
            label={t('ruleDialogs.comparison')}
            options={ruleOptions('op', operators)}
            value={operator}
            onChoose={setOperator}
          />
        )}
        <ConditionDetail {...{ type, draft, icons }} onIcons={setIcons} />
      </div>
      {(type === 'cellIs' || type === 'expression') && (
        <ConditionValues {...{ type, draft, count }} locale={settings.locale} />
      )}
      {type === 'top10' && <RankFields draft={draft} />}
      <DrawnFields {...{ type, draft, theme, icons }} locale={settings.locale} />
      {!isDrawn(type) && <LookFields {...{ draft, theme }} />}
      <FieldError text={problem} />
    </FormDialog>
  );
}
