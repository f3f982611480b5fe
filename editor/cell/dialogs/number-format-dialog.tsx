import { useState } from 'preact/hooks';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { currencyPattern, datePattern, setNumberFormat } from '../commands/formatting.ts';
import {
  decimalsOf,
  type FormatKind,
  formatKinds,
  formatsOf,
  hasDecimals,
  isFormat,
  kindOfFormat,
} from '../formats/format-kinds.ts';

/** What an example shows where the active cell has no number. */
const exampleNumber = 1234.5;
const mostDecimals = 30;

/** Chooses a number format by its kind and by what it makes of the active cell, or writes one. */
export function NumberFormatDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  const { active } = editor.selection.peek();
  const [pattern, setPattern] = useState(editor.formatAt(active).number ?? 'General');
  const [kind, setKind] = useState<FormatKind>(() => kindOfFormat(pattern));
  const [decimals, setDecimals] = useState(() => (kind === 'general' ? 2 : decimalsOf(pattern)));
  const value = editor.valueAt(active);
  const example = typeof value === 'number' ? value : exampleNumber;
  const shown = (one: string) =>
    shownValue(kind === 'text' && typeof value === 'string' ? value : example, one, editor.settings).text;
  const region = { currency: currencyPattern(editor), date: datePattern(editor) };
  const listed = formatsOf(kind, decimals, region);
  const isWrong = !isFormat(pattern);
  const choose = (nextKind: FormatKind, nextDecimals: number) => {
    setKind(nextKind);
    setDecimals(nextDecimals);
    const at = nextKind === kind ? Math.max(0, listed.indexOf(pattern)) : 0;
    const next = formatsOf(nextKind, nextDecimals, region)[at];
    if (next !== undefined) setPattern(next);
  };
  return (
    <FormDialog
      title={t('sheet.numberFormat')}
      submitLabel={t('sheet.apply')}
      canSubmit={!isWrong}
      onClose={onClose}
      onSubmit={() => {
        setNumberFormat(editor, pattern);
        onClose();
      }}
    >
      <label class="field">
        {t('sheet.formatKind')}
        <select
          value={kind}
          onChange={(event) => {
            const next = event.currentTarget.value as FormatKind;
            choose(next, hasDecimals(next) && !hasDecimals(kind) ? (next === 'percent' ? 0 : 2) : decimals);
          }}
        >
          {formatKinds.map((one) => (
            <option key={one} value={one}>
              {t(`sheet.format_${one}`)}
            </option>
          ))}
        </select>
      </label>
      {hasDecimals(kind) && (
        <label class="field">
          {t('sheet.decimals')}
          <input
            type="number"
            min={0}
            max={mostDecimals}
            value={decimals}
            onInput={(event) => {
              const count = Math.trunc(event.currentTarget.valueAsNumber);
              if (count >= 0 && count <= mostDecimals) choose(kind, count);
            }}
          />
        </label>
      )}
      {listed.length > 1 && (
        <label class="field">
          {t('sheet.shownAs')}
          <select
            size={Math.min(8, listed.length)}
            value={pattern}
            onChange={(event) => setPattern(event.currentTarget.value)}
          >
            {listed.map((one) => (
              <option key={one} value={one}>
                {example < 0 || !one.includes(';') ? shown(one) : `${shown(one)}   ${negative(one, editor)}`}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        {t('sheet.pattern')}
        <input
          value={pattern}
          spellcheck={false}
          aria-invalid={isWrong}
          onInput={(event) => {
            setPattern(event.currentTarget.value);
            setKind(kindOfFormat(event.currentTarget.value));
          }}
        />
      </label>
      {isWrong ? (
        <p role="alert">{t('sheet.patternWrong')}</p>
      ) : (
        <p>{t('sheet.example', { value: shown(pattern) })}</p>
      )}
    </FormDialog>
  );
}

/** What a format with several parts makes of a number below zero. */
const negative = (pattern: string, { settings }: CellEditor): string =>
  shownValue(-exampleNumber, pattern, settings).text;
