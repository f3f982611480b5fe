import { useState } from 'preact/hooks';
import type { PageSetup } from '../../../../model/cell/workbook.ts';
import { FieldError } from '../../../kit/field-error.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { t } from '../../../strings/strings.ts';
import { printedParts, setUpPage } from '../../commands/page-setup.ts';
import { CheckField } from '../check-field.tsx';
import type { RuleDialogProps } from '../rule-dialog.ts';
import { HeaderFields, MarginFields, PaperFields, RangeFields, ScalingFields } from './page-fields.tsx';
import { printFlags, type Scaling, typedPage, typedRanges } from './typed-page.ts';

/** How the sheet that is shown is printed: by the page and by the PDF that the server makes. */
export function PageDialog({ editor, onClose }: RuleDialogProps) {
  const [before] = useState<PageSetup>(() => editor.page.sheet.properties.page ?? {});
  const [printed] = useState(() => printedParts(editor));
  const [scaling, setScaling] = useState<Scaling>(before.fitsTo ? 'fit' : 'scale');
  const [problem, setProblem] = useState('');
  const submit = (fields: FormData) => {
    const ranges = typedRanges(fields, printed);
    if (typeof ranges === 'string') return setProblem(t(ranges));
    if (setUpPage(editor, typedPage(fields, scaling, before), ranges)) onClose();
  };
  return (
    <FormDialog title={t('rules.page')} submitLabel={t('sheet.apply')} onClose={onClose} onSubmit={submit}>
      <PaperFields before={before} />
      <ScalingFields before={before} scaling={scaling} onScaling={setScaling} />
      <MarginFields before={before} />
      <RangeFields printed={printed} />
      <HeaderFields before={before} which="header" />
      <HeaderFields before={before} which="footer" />
      <small>{t('ruleDialogs.codes')}</small>
      <fieldset class="rule-checks">
        {printFlags.map((flag) => (
          <CheckField
            key={flag}
            name={flag}
            label={t(`ruleDialogs.print_${flag}`)}
            isOn={before[flag] === true}
          />
        ))}
      </fieldset>
      <FieldError text={problem} />
    </FormDialog>
  );
}
