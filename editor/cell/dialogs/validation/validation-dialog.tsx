import { useState } from 'preact/hooks';
import { FieldError } from '../../../kit/field-error.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { type StringKey, t } from '../../../strings/strings.ts';
import { setValidation, validationHere } from '../../commands/validating.ts';
import type { RuleDialogProps } from '../rule-dialog.ts';
import { takesTwo } from '../rule-operand.ts';
import { isCompared, typedValidation, type ValidationType, validationFault } from './typed-validation.ts';
import { ValidationBounds, ValidationWords } from './validation-fields.tsx';

const types = ['any', 'list', 'whole', 'decimal', 'date', 'time', 'textLength', 'custom'] as const;
const operators = [
  ...['between', 'notBetween', 'equal', 'notEqual', 'greaterThan', 'lessThan'],
  ...['greaterThanOrEqual', 'lessThanOrEqual'],
];

/** What may be typed into the selected cells, what is said beside them, and what happens to anything else. */
export function ValidationDialog({ editor, onClose }: RuleDialogProps) {
  const [before] = useState(() => validationHere(editor));
  const [type, setType] = useState<ValidationType>(before?.type ?? 'any');
  const [operator, setOperator] = useState<string>(before?.operator ?? 'between');
  const [problem, setProblem] = useState('');
  const count = isCompared(type) && takesTwo(operator) ? 2 : 1;
  const submit = (fields: FormData) => {
    if (type === 'any') {
      setValidation(editor, null);
      return onClose();
    }
    const typed = typedValidation(fields, { type, operator, count }, editor.page.settings);
    if (!typed) return setProblem(t('ruleDialogs.valueMissing'));
    const fault = validationFault(fields, typed, editor.page.settings.locale);
    if (fault) return setProblem(fault);
    if (setValidation(editor, typed)) onClose();
  };
  return (
    <FormDialog
      title={t('ruleDialogs.validationOf', { range: editor.selectionName })}
      submitLabel={t('sheet.apply')}
      onClose={onClose}
      onSubmit={submit}
    >
      <div class="field-row">
        <SelectField
          label={t('ruleDialogs.allow')}
          data-first
          options={types.map((name) => [name, t(`ruleDialogs.allow_${name}`)])}
          value={type}
          onChoose={setType}
        />
        {isCompared(type) && (
          <SelectField
            label={t('ruleDialogs.comparison')}
            options={operators.map((name) => [name, t(`ruleDialogs.op_${name}` as StringKey)])}
            value={operator}
            onChoose={setOperator}
          />
        )}
      </div>
      {type !== 'any' && (
        <>
          <ValidationBounds {...{ before, type, count }} locale={editor.page.settings.locale} />
          <ValidationWords before={before} isList={type === 'list'} />
        </>
      )}
      <FieldError text={problem} />
    </FormDialog>
  );
}
