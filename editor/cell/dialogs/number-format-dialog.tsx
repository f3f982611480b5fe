import { useState } from 'preact/hooks';
import { shownValue } from '../../../model/cell/formats/shown-value.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { datePattern, setNumberFormat } from '../commands/formatting.ts';
import { currencyPattern } from '../commands/number-patterns.ts';
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
  const format = useChosenFormat(editor);
  const { pattern, kind, decimals, listed, choose } = format;
  const isWrong = !isFormat(pattern);
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
      <SelectField
        label={t('sheetDialogs.formatKind')}
        options={formatKinds.map((one) => [one, t(`sheetDialogs.format_${one}`)])}
        value={kind}
        onChoose={(next) => choose(next, decimalsAfter(format, next))}
      />
      {hasDecimals(kind) && (
        <InputField
          label={t('sheetDialogs.decimals')}
          type="number"
          min={0}
          max={mostDecimals}
          value={decimals}
          onInput={(event) => {
            const count = Math.trunc(event.currentTarget.valueAsNumber);
            if (count >= 0 && count <= mostDecimals) choose(kind, count);
          }}
        />
      )}
      {listed.length > 1 && (
        <SelectField
          label={t('sheetDialogs.shownAs')}
          size={Math.min(8, listed.length)}
          options={listed.map((one) => [one, format.listedText(one)])}
          value={pattern}
          onChoose={format.take}
        />
      )}
      <InputField
        label={t('sheetDialogs.pattern')}
        value={pattern}
        spellcheck={false}
        aria-invalid={isWrong}
        onInput={(event) => format.write(event.currentTarget.value)}
      />
      {isWrong ? (
        <p role="alert">{t('sheetDialogs.patternWrong')}</p>
      ) : (
        <p>{t('sheetDialogs.example', { value: format.textOf(pattern) })}</p>
      )}
    </FormDialog>
  );
}

/** A number format as it is chosen, and what it makes of the active cell. */
interface ChosenFormat {
  readonly pattern: string;
  readonly kind: FormatKind;
  readonly decimals: number;
  /** The formats of the kind, to choose from. */
  readonly listed: readonly string[];
  /** What a format makes of the active cell. */
  textOf(pattern: string): string;
  /** What stands in the list for a format: with what it makes of a number below zero, where that looks otherwise. */
  listedText(pattern: string): string;
  choose(kind: FormatKind, decimals: number): void;
  /** Takes one of the list. */
  take(pattern: string): void;
  /** Takes what is written, of whatever kind it is. */
  write(pattern: string): void;
}

function useChosenFormat(editor: CellEditor): ChosenFormat {
  const { active } = editor.selection.peek();
  const [pattern, setPattern] = useState(editor.page.formatAt(active).number ?? 'General');
  const [kind, setKind] = useState<FormatKind>(() => kindOfFormat(pattern));
  const [decimals, setDecimals] = useState(() => (kind === 'general' ? 2 : decimalsOf(pattern)));
  const value = editor.page.valueAt(active);
  const example = typeof value === 'number' ? value : exampleNumber;
  const { settings } = editor.page;
  const made = (one: string, of: number | string) => shownValue(of, one, settings).text;
  const textOf = (one: string) => made(one, kind === 'text' && typeof value === 'string' ? value : example);
  const region = { currency: currencyPattern(settings), date: datePattern(settings) };
  const listed = formatsOf(kind, decimals, region);
  return {
    ...{ pattern, kind, decimals, listed, textOf, take: setPattern },
    listedText: (one) =>
      example < 0 || !one.includes(';') ? textOf(one) : `${textOf(one)}   ${made(one, -exampleNumber)}`,
    choose(nextKind, nextDecimals) {
      setKind(nextKind);
      setDecimals(nextDecimals);
      const at = nextKind === kind ? Math.max(0, listed.indexOf(pattern)) : 0;
      const next = formatsOf(nextKind, nextDecimals, region)[at];
      if (next !== undefined) setPattern(next);
    },
    write(written) {
      setPattern(written);
      setKind(kindOfFormat(written));
    },
  };
}

/** How many decimals a kind begins with: what is chosen already, unless the kind before has none. */
function decimalsAfter({ kind, decimals }: ChosenFormat, next: FormatKind): number {
  if (!hasDecimals(next) || hasDecimals(kind)) return decimals;
  return next === 'percent' ? 0 : 2;
}
