import { useState } from 'preact/hooks';
import type { PageSetup } from '../../../model/cell/workbook.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { linesOf, printedParts, setUpPage } from '../commands/page-setup.ts';
import { readAreas } from '../commands/ruled-areas.ts';
import { rangeOfArea } from '../grid/cell-range.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

/** Papers by their numbers in xlsx. */
const papers = [
  [9, 'A4'],
  [8, 'A3'],
  [11, 'A5'],
  [1, 'Letter'],
  [5, 'Legal'],
  [3, 'Tabloid'],
] as const;
const sides = ['top', 'bottom', 'left', 'right', 'header', 'footer'] as const;
/** Inches, as Excel begins with. */
const usualMargins = { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 };
const cmPerInch = 2.54;
const flags = ['gridlines', 'headings', 'centersHorizontally', 'centersVertically'] as const;
const parts = ['left', 'center', 'right'] as const;

/** How the sheet that is shown is printed: by the page and by the PDF that the server makes. */
export function PageDialog({ editor, onClose }: RuleDialogProps) {
  const [before] = useState<PageSetup>(() => editor.sheet.properties.page ?? {});
  const [printed] = useState(() => printedParts(editor));
  const [scaling, setScaling] = useState(before.fitsTo ? 'fit' : 'scale');
  const [problem, setProblem] = useState('');
  const margins = before.margins ?? usualMargins;
  const header = partsOfText(before.header);
  const footer = partsOfText(before.footer);
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const area = text('area') === '' ? [] : readAreas(text('area'));
    const rows = text('rows') === '' ? null : linesOf(text('rows'), 'row');
    const columns = text('columns') === '' ? null : linesOf(text('columns'), 'column');
    if (!area) return setProblem(t('ruleDialogs.noRange'));
    if ((text('rows') !== '' && !rows) || (text('columns') !== '' && !columns))
      return setProblem(t('ruleDialogs.noLines'));
    const whole = (name: string) => Math.max(0, Math.round(Number(text(name)) || 0));
    const page: PageSetup = {
      orientation: text('orientation') as 'portrait',
      paper: Number(text('paper')),
      ...(scaling === 'fit'
        ? { fitsTo: { width: whole('wide'), height: whole('tall') } }
        : { scalePercent: Math.min(400, Math.max(10, whole('scale') || 100)) }),
      margins: Object.fromEntries(
        sides.map((side) => [side, Number((Number(text(side)) / cmPerInch).toFixed(4))]),
      ) as unknown as NonNullable<PageSetup['margins']>,
      ...Object.fromEntries(flags.filter((flag) => fields.has(flag)).map((flag) => [flag, true])),
      ...withText('header', textOfParts(parts.map((part) => text(`header-${part}`)))),
      ...withText('footer', textOfParts(parts.map((part) => text(`footer-${part}`)))),
    };
    if (setUpPage(editor, page, { area: area.map(rangeOfArea), rows, columns })) onClose();
  };
  return (
    <FormDialog title={t('rules.page')} submitLabel={t('sheet.apply')} onClose={onClose} onSubmit={submit}>
      <div class="field-row">
        <label class="field">
          {t('ruleDialogs.orientation')}
          <select name="orientation" data-first>
            {(['portrait', 'landscape'] as const).map((one) => (
              <option key={one} value={one} selected={one === before.orientation}>
                {t(`ruleDialogs.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {t('ruleDialogs.paper')}
          <select name="paper">
            {papers.map(([paper, name]) => (
              <option key={paper} value={paper} selected={paper === (before.paper ?? 9)}>
                {name}
              </option>
            ))}
            {before.paper !== undefined && !papers.some(([paper]) => paper === before.paper) && (
              <option value={before.paper} selected>
                {t('ruleDialogs.otherPaper')}
              </option>
            )}
          </select>
        </label>
      </div>
      <div class="field-row">
        <label class="field">
          {t('ruleDialogs.scaling')}
          <select value={scaling} onChange={(event) => setScaling(event.currentTarget.value)}>
            <option value="scale">{t('ruleDialogs.byPercent')}</option>
            <option value="fit">{t('ruleDialogs.byPages')}</option>
          </select>
        </label>
        {scaling === 'scale' ? (
          <NumberField
            label={t('sheet.percent')}
            name="scale"
            value={before.scalePercent ?? 100}
            min={10}
            max={400}
            step={1}
          />
        ) : (
          <span class="field-row">
            <NumberField
              label={t('ruleDialogs.pagesWide')}
              name="wide"
              value={before.fitsTo?.width ?? 1}
              step={1}
            />
            <NumberField
              label={t('ruleDialogs.pagesTall')}
              name="tall"
              value={before.fitsTo?.height ?? 0}
              step={1}
            />
          </span>
        )}
      </div>
      <fieldset class="rule-checks">
        <legend>{t('ruleDialogs.margins')}</legend>
        <div class="rule-margins">
          {sides.map((side) => (
            <NumberField
              key={side}
              label={t(`ruleDialogs.margin_${side}`)}
              name={side}
              value={Number((margins[side] * cmPerInch).toFixed(2))}
            />
          ))}
        </div>
      </fieldset>
      <label class="field">
        {t('ruleDialogs.printArea')}
        <input name="area" defaultValue={printed.area} placeholder="A1:F40" spellcheck={false} />
      </label>
      <div class="field-row">
        <label class="field">
          {t('ruleDialogs.repeatRows')}
          <input name="rows" defaultValue={printed.rows} placeholder="1:2" spellcheck={false} />
        </label>
        <label class="field">
          {t('ruleDialogs.repeatColumns')}
          <input name="columns" defaultValue={printed.columns} placeholder="A:A" spellcheck={false} />
        </label>
      </div>
      {(['header', 'footer'] as const).map((which) => (
        <fieldset class="rule-checks" key={which}>
          <legend>{t(`ruleDialogs.${which}`)}</legend>
          <div class="rule-margins">
            {parts.map((part, at) => (
              <label class="field" key={part}>
                {t(`ruleDialogs.part_${part}`)}
                <input
                  name={`${which}-${part}`}
                  defaultValue={(which === 'header' ? header : footer)[at] ?? ''}
                  spellcheck={false}
                />
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <small>{t('ruleDialogs.codes')}</small>
      <fieldset class="rule-checks">
        {flags.map((flag) => (
          <label key={flag}>
            <input type="checkbox" name={flag} defaultChecked={before[flag] === true} />
            {t(`ruleDialogs.print_${flag}`)}
          </label>
        ))}
      </fieldset>
      <p class="field-error" role="alert">
        {problem}
      </p>
    </FormDialog>
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
    <label class="field">
      {label}
      <input
        name={name}
        type="number"
        required
        min={min}
        step={step ?? 'any'}
        defaultValue={String(value)}
        {...(max !== undefined && { max })}
      />
    </label>
  );
}

const withText = (name: 'header' | 'footer', text: string) => (text === '' ? {} : { [name]: text });

/** Left, middle and right of a header: `&L…&C…&R…`; without a sign it is the middle. */
export function partsOfText(text = ''): [left: string, center: string, right: string] {
  const found: Record<string, string> = { L: '', C: '', R: '' };
  let current = 'C';
  for (const piece of text.split(/(&[LCR]|&&|&.)/i)) {
    const sign = /^&([LCR])$/i.exec(piece)?.[1]?.toUpperCase();
    if (sign) current = sign;
    else found[current] += piece;
  }
  return [found.L!, found.C!, found.R!];
}

export const textOfParts = (texts: readonly string[]): string =>
  texts.map((text, at) => (text === '' ? '' : `&${'LCR'[at]}${text}`)).join('');
