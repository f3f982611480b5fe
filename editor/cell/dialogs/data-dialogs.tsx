import { useState } from 'preact/hooks';
import type { Area } from '../../../model/cell/area.ts';
import { columnName } from '../../../model/cell-address.ts';
import { Button } from '../../kit/button.tsx';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { notify } from '../../kit/notices.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { t } from '../../strings/strings.ts';
import { removeDuplicates, sortBy, splitTexts } from '../commands/rows-of-data.ts';
import type { SortKey } from '../commands/sorting.ts';
import { tableRange } from '../commands/tables.ts';
import { belowFirstRow, rangeName, widthOf } from '../grid/cell-areas.ts';
import { CheckField } from './check-field.tsx';
import { tellCellsAreGone, useFollowedCells } from './followed-cells.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

const mostKeys = 8;

/** The range that a dialog works on, and its columns by their headings. */
function useData({ editor }: Pick<RuleDialogProps, 'editor'>) {
  const [range] = useState(() => tableRange(editor));
  const [hasHeader, setHasHeader] = useState(range[2] > range[0]);
  const view = editor.page.view.peek();
  const columns = Array.from({ length: Math.min(widthOf(range), 200) }, (_, at) => range[1] + at);
  const nameOf = (column: number) => (hasHeader && view.cellAt(range[0], column)?.text) || columnName(column);
  const followed = useFollowedCells(editor);
  const body: Area = hasHeader ? belowFirstRow(range) : range;
  /** Where others have moved them meanwhile; null where the cells, or all of the columns, are gone, which is said. */
  const now = (chosen: readonly number[]) => {
    const cells = followed(body);
    const places = chosen.map((column) => followed([body[0], column, body[2], column])?.[1] ?? null);
    if (cells && places.some((place) => place !== null)) return { body: cells, places };
    tellCellsAreGone();
    return null;
  };
  return { range, now, columns, nameOf, hasHeader, setHasHeader };
}

function HeaderBox({ data }: { data: ReturnType<typeof useData> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={data.hasHeader}
        onChange={(event) => data.setHasHeader(event.currentTarget.checked)}
      />
      {t('ruleDialogs.hasHeader')}
    </label>
  );
}

/** Sorts rows by several columns. */
export function SortDialog({ editor, onClose }: RuleDialogProps) {
  const data = useData({ editor });
  const [keys, setKeys] = useState<readonly SortKey[]>([{ column: data.range[1], direction: 1 }]);
  const change = (at: number, patch: Partial<SortKey>) => setKeys(keys.with(at, { ...keys[at]!, ...patch }));
  return (
    <FormDialog
      title={t('ruleDialogs.sortOf', { range: rangeName(data.range) })}
      submitLabel={t('ruleDialogs.sort')}
      onClose={onClose}
      onSubmit={() => {
        const now = data.now(keys.map(({ column }) => column));
        const left = keys.flatMap((key, at) => {
          const column = now?.places[at] ?? null;
          return column === null ? [] : [{ ...key, column }];
        });
        if (!now || sortBy(editor, now.body, left)) onClose();
      }}
    >
      <HeaderBox data={data} />
      {keys.map(({ column, direction }, at) => (
        <div class="field-row" key={at}>
          <SelectField
            label={t(at === 0 ? 'ruleDialogs.sortFirst' : 'ruleDialogs.sortThen')}
            options={data.columns.map((one) => [String(one), data.nameOf(one)])}
            value={String(column)}
            onChoose={(chosen) => change(at, { column: Number(chosen) })}
          />
          <SelectField
            label={t('ruleDialogs.direction')}
            options={[
              ['1', t('sheet.sortRising')],
              ['-1', t('sheet.sortFalling')],
            ]}
            value={direction === 1 ? '1' : '-1'}
            onChoose={(chosen) => change(at, { direction: chosen === '1' ? 1 : -1 })}
          />
        </div>
      ))}
      <div class="rule-buttons">
        <Button
          disabled={keys.length >= mostKeys}
          onClick={() => setKeys([...keys, { column: data.range[1], direction: 1 }])}
        >
          {t('ruleDialogs.addKey')}
        </Button>
        <Button disabled={keys.length < 2} onClick={() => setKeys(keys.slice(0, -1))}>
          {t('ruleDialogs.removeKey')}
        </Button>
      </div>
    </FormDialog>
  );
}

export function DuplicatesDialog({ editor, onClose }: RuleDialogProps) {
  const data = useData({ editor });
  return (
    <FormDialog
      title={t('ruleDialogs.duplicatesOf', { range: rangeName(data.range) })}
      submitLabel={t('ruleDialogs.remove')}
      onClose={onClose}
      onSubmit={(fields) => {
        const columns = data.columns.filter((column) => fields.has(`column${column}`));
        const now = data.now(columns.length > 0 ? columns : data.columns);
        if (!now) return onClose();
        const places = now.places.filter((place) => place !== null);
        const count = removeDuplicates(editor, now.body, places);
        if (count === null) return;
        notify({ text: t('ruleDialogs.removedRows', { count }), kind: 'info', topic: 'sheet-duplicates' });
        onClose();
      }}
    >
      <HeaderBox data={data} />
      <fieldset class="rule-checks">
        <legend>{t('ruleDialogs.sameIn')}</legend>
        {data.columns.map((column) => (
          <CheckField key={column} name={`column${column}`} label={data.nameOf(column)} isOn />
        ))}
      </fieldset>
    </FormDialog>
  );
}

const separators = { comma: ',', semicolon: ';', tab: '\t', space: ' ', other: '' } as const;
type Separator = keyof typeof separators;

export function SplitDialog({ editor, onClose }: RuleDialogProps) {
  const { range } = editor;
  const [separator, setSeparator] = useState<Separator>('comma');
  const [problem, setProblem] = useState('');
  return (
    <FormDialog
      title={t('ruleDialogs.splitOf', { range: rangeName([range[0], range[1], range[2], range[1]]) })}
      submitLabel={t('ruleDialogs.split')}
      onClose={onClose}
      onSubmit={(fields) => {
        const sign = separator === 'other' ? String(fields.get('sign')) : separators[separator];
        if (splitTexts(editor, range, sign)) onClose();
        else setProblem(t('ruleDialogs.nothingToSplit'));
      }}
    >
      <p>{t('ruleDialogs.splitHelp')}</p>
      <SelectField
        label={t('ruleDialogs.separator')}
        data-first
        options={(Object.keys(separators) as Separator[]).map((name) => [
          name,
          t(`ruleDialogs.separator_${name}`),
        ])}
        value={separator}
        onChoose={setSeparator}
      />
      {separator === 'other' && (
        <InputField label={t('ruleDialogs.separator_other')} name="sign" required maxLength={20} />
      )}
      <FieldError text={problem} />
    </FormDialog>
  );
}
