import { useState } from 'preact/hooks';
import { columnName } from '../../../model/cell-address.ts';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { removeDuplicates, type SortKey, sortBy, splitTexts } from '../commands/rows-of-data.ts';
import { tableRange } from '../commands/tables.ts';
import { type CellRange, rangeName, widthOf } from '../grid/cell-range.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

const mostKeys = 8;

/** The range that a dialog works on, and its columns by their headings. */
function useData({ editor }: Pick<RuleDialogProps, 'editor'>) {
  const [range] = useState(() => tableRange(editor));
  const [hasHeader, setHasHeader] = useState(range.bottom > range.top);
  const view = editor.view.peek();
  const columns = Array.from({ length: Math.min(widthOf(range), 200) }, (_, at) => range.left + at);
  const nameOf = (column: number) =>
    (hasHeader && view.cellAt(range.top, column)?.text) || columnName(column);
  const body: CellRange = hasHeader ? { ...range, top: range.top + 1 } : range;
  return { range, body, columns, nameOf, hasHeader, setHasHeader };
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
  const [keys, setKeys] = useState<readonly SortKey[]>([{ column: data.range.left, direction: 1 }]);
  const change = (at: number, patch: Partial<SortKey>) => setKeys(keys.with(at, { ...keys[at]!, ...patch }));
  return (
    <FormDialog
      title={t('ruleDialogs.sortOf', { range: rangeName(data.range) })}
      submitLabel={t('ruleDialogs.sort')}
      onClose={onClose}
      onSubmit={() => {
        if (sortBy(editor, data.body, keys)) onClose();
      }}
    >
      <HeaderBox data={data} />
      {keys.map(({ column, direction }, at) => (
        <div class="field-row" key={at}>
          <label class="field">
            {t(at === 0 ? 'ruleDialogs.sortFirst' : 'ruleDialogs.sortThen')}
            <select
              value={String(column)}
              onChange={(event) => change(at, { column: Number(event.currentTarget.value) })}
            >
              {data.columns.map((one) => (
                <option key={one} value={String(one)}>
                  {data.nameOf(one)}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            {t('ruleDialogs.direction')}
            <select
              value={String(direction)}
              onChange={(event) => change(at, { direction: event.currentTarget.value === '1' ? 1 : -1 })}
            >
              <option value="1">{t('sheet.sortRising')}</option>
              <option value="-1">{t('sheet.sortFalling')}</option>
            </select>
          </label>
        </div>
      ))}
      <div class="rule-buttons">
        <Button
          disabled={keys.length >= mostKeys}
          onClick={() => setKeys([...keys, { column: data.range.left, direction: 1 }])}
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
        const count = removeDuplicates(editor, data.body, columns.length > 0 ? columns : data.columns);
        if (count === null) return;
        notify({ text: t('ruleDialogs.removedRows', { count }), kind: 'info', topic: 'sheet-duplicates' });
        onClose();
      }}
    >
      <HeaderBox data={data} />
      <fieldset class="rule-checks">
        <legend>{t('ruleDialogs.sameIn')}</legend>
        {data.columns.map((column) => (
          <label key={column}>
            <input type="checkbox" name={`column${column}`} defaultChecked />
            {data.nameOf(column)}
          </label>
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
      title={t('ruleDialogs.splitOf', { range: rangeName({ ...range, right: range.left }) })}
      submitLabel={t('ruleDialogs.split')}
      onClose={onClose}
      onSubmit={(fields) => {
        const sign = separator === 'other' ? String(fields.get('sign')) : separators[separator];
        if (splitTexts(editor, range, sign)) onClose();
        else setProblem(t('ruleDialogs.nothingToSplit'));
      }}
    >
      <p>{t('ruleDialogs.splitHelp')}</p>
      <label class="field">
        {t('ruleDialogs.separator')}
        <select
          data-first
          value={separator}
          onChange={(event) => setSeparator(event.currentTarget.value as Separator)}
        >
          {(Object.keys(separators) as Separator[]).map((name) => (
            <option key={name} value={name}>
              {t(`ruleDialogs.separator_${name}`)}
            </option>
          ))}
        </select>
      </label>
      {separator === 'other' && (
        <label class="field">
          {t('ruleDialogs.separator_other')}
          <input name="sign" required maxLength={20} />
        </label>
      )}
      <p class="field-error" role="alert">
        {problem}
      </p>
    </FormDialog>
  );
}
