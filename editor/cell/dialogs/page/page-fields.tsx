import type { PageSetup } from '../../../../model/cell/workbook.ts';
import { InputField } from '../../../kit/input-field.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { t } from '../../../strings/strings.ts';
import type { PrintedParts } from '../../commands/page-setup.ts';
import { headerParts, partsOfText } from './header-text.ts';
import { type Scaling, shownMargin, sides } from './typed-page.ts';

/** Papers by their numbers in xlsx. */
const papers = [
  ['9', 'A4'],
  ['8', 'A3'],
  ['11', 'A5'],
  ['1', 'Letter'],
  ['5', 'Legal'],
  ['3', 'Tabloid'],
] as const;
const usualPaper = 9;

interface FieldsProps {
  /** How the sheet is printed until now. */
  before: PageSetup;
}

export function PaperFields({ before }: FieldsProps) {
  const paper = String(before.paper ?? usualPaper);
  const isKnown = papers.some(([known]) => known === paper);
  return (
    <div class="field-row">
      <SelectField
        label={t('ruleDialogs.orientation')}
        name="orientation"
        data-first
        options={(['portrait', 'landscape'] as const).map((one) => [one, t(`ruleDialogs.${one}`)])}
        first={before.orientation}
      />
      <SelectField
        label={t('ruleDialogs.paper')}
        name="paper"
        options={isKnown ? papers : [...papers, [paper, t('ruleDialogs.otherPaper')]]}
        first={paper}
      />
    </div>
  );
}

interface ScalingFieldsProps extends FieldsProps {
  scaling: Scaling;
  onScaling: (scaling: Scaling) => void;
}

/** The size on paper, in percent or by pages. */
export function ScalingFields({ before, scaling, onScaling }: ScalingFieldsProps) {
  const { scalePercent, fitsTo } = before;
  return (
    <div class="field-row">
      <SelectField
        label={t('ruleDialogs.scaling')}
        options={[
          ['scale', t('ruleDialogs.byPercent')],
          ['fit', t('ruleDialogs.byPages')],
        ]}
        value={scaling}
        onChoose={onScaling}
      />
      {scaling === 'scale' ? (
        <NumberField
          label={t('sheet.percent')}
          name="scale"
          value={scalePercent ?? 100}
          min={10}
          max={400}
          step={1}
        />
      ) : (
        <span class="field-row">
          <NumberField label={t('ruleDialogs.pagesWide')} name="wide" value={fitsTo?.width ?? 1} step={1} />
          <NumberField label={t('ruleDialogs.pagesTall')} name="tall" value={fitsTo?.height ?? 0} step={1} />
        </span>
      )}
    </div>
  );
}

export function MarginFields({ before }: FieldsProps) {
  return (
    <fieldset class="rule-checks">
      <legend>{t('ruleDialogs.margins')}</legend>
      <div class="rule-margins">
        {sides.map((side) => (
          <NumberField
            key={side}
            label={t(`ruleDialogs.margin_${side}`)}
            name={side}
            value={Number(shownMargin(before, side))}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** What is printed, and what comes again on every page. */
export function RangeFields({ printed }: { printed: PrintedParts }) {
  const field = (name: keyof PrintedParts, label: string, placeholder: string) => (
    <InputField {...{ name, label, placeholder }} defaultValue={printed[name]} spellcheck={false} />
  );
  return (
    <>
      {field('area', t('ruleDialogs.printArea'), 'A1:F40')}
      <div class="field-row">
        {field('rows', t('ruleDialogs.repeatRows'), '1:2')}
        {field('columns', t('ruleDialogs.repeatColumns'), 'A:A')}
      </div>
    </>
  );
}

/** What stands at the top or at the bottom of every page. */
export function HeaderFields({ before, which }: FieldsProps & { which: 'header' | 'footer' }) {
  const texts = partsOfText(before[which]);
  return (
    <fieldset class="rule-checks">
      <legend>{t(`ruleDialogs.${which}`)}</legend>
      <div class="rule-margins">
        {headerParts.map((part, at) => (
          <InputField
            key={part}
            label={t(`ruleDialogs.part_${part}`)}
            name={`${which}-${part}`}
            defaultValue={texts[at] ?? ''}
            spellcheck={false}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  name: string;
  value: number;
  min?: number;
  max?: number;
  step?: number;
}

function NumberField({ label, name, value, min = 0, max, step }: NumberFieldProps) {
  return (
    <InputField
      label={label}
      name={name}
      type="number"
      required
      min={min}
      step={step ?? 'any'}
      defaultValue={String(value)}
      {...(max !== undefined && { max })}
    />
  );
}
