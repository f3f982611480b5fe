import { useState } from 'preact/hooks';
import { itemsOf } from '../../../model/cell/workbook.ts';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { problemWithDefinedName } from '../commands/names.ts';
import { canBeTable, changeTable, resized } from '../commands/table-growth.ts';
import {
  convertToRange,
  freeTableName,
  makeTable,
  type TableId,
  tableAt,
  tableRange,
  toggleTotals,
  usualStyle,
} from '../commands/tables.ts';
import { areaOfRange, rangeName, rangeOfArea, readRange } from '../grid/cell-range.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

const styles = [
  ...['TableStyleLight1', 'TableStyleLight9', 'TableStyleLight15'],
  ...Array.from({ length: 14 }, (_, at) => `TableStyleMedium${at + 1}`),
  ...['TableStyleDark1', 'TableStyleDark2'],
];

/** Makes a table of what is selected, or changes the one that the active cell is in. */
export function TableDialog({ editor, onClose }: RuleDialogProps) {
  const [found] = useState(() => tableAt(editor.sheet, editor.selection.peek().active));
  return found ? (
    <ChangeTableDialog editor={editor} onClose={onClose} found={found} />
  ) : (
    <NewTableDialog editor={editor} onClose={onClose} />
  );
}

function NewTableDialog({ editor, onClose }: RuleDialogProps) {
  const [text, setText] = useState(() => rangeName(tableRange(editor)));
  const [name, setName] = useState(() => freeTableName(editor.workbook.peek(), t('ruleDialogs.tableStem')));
  const range = readRange(text);
  const problem =
    !range || (range.top === range.bottom && range.left === range.right && text === '')
      ? t('ruleDialogs.noRange')
      : !canBeTable(editor.sheet, areaOfRange(range))
        ? t('ruleDialogs.tableInTheWay')
        : problemWithDefinedName(editor.workbook.value, name);
  return (
    <FormDialog
      title={t('ruleDialogs.newTable')}
      submitLabel={t('dialogs.insert')}
      canSubmit={problem === null}
      onClose={onClose}
      onSubmit={(fields) => {
        const stem = t('rules.columnStem');
        if (makeTable(editor, range!, { name, hasHeader: fields.has('hasHeader'), stem })) onClose();
      }}
    >
      <div class="field-row">
        <label class="field">
          {t('ruleDialogs.cells')}
          <input
            data-first
            value={text}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          {t('sheet.name')}
          <input value={name} onInput={(event) => setName(event.currentTarget.value.trim())} />
        </label>
      </div>
      <label class="check">
        <input type="checkbox" name="hasHeader" defaultChecked />
        {t('ruleDialogs.hasHeader')}
      </label>
      <p class="field-error" role="alert">
        {problem ?? ''}
      </p>
    </FormDialog>
  );
}

const looks = ['rowStripes', 'columnStripes', 'firstColumn', 'lastColumn'] as const;

function ChangeTableDialog({ editor, onClose, found }: RuleDialogProps & { found: TableId }) {
  const [id, table] = found;
  const before = rangeName(rangeOfArea(table.area));
  const [text, setText] = useState(before);
  const [name, setName] = useState(table.name);
  const range = readRange(text);
  const hasMoved = range !== null && table.hasHeader && range.top !== table.area[0];
  const problem =
    !range || hasMoved || range.bottom <= range.top
      ? t('ruleDialogs.tableRange')
      : !canBeTable(editor.sheet, areaOfRange(range), id)
        ? t('ruleDialogs.tableInTheWay')
        : problemWithDefinedName(editor.workbook.value, name, null, id);
  const submit = (fields: FormData) => {
    const patch = {
      ...(name !== table.name && { name }),
      style: String(fields.get('style')),
      ...Object.fromEntries(looks.map((look) => [look, fields.has(look)])),
      hidesButtons: !fields.has('buttons'),
      ...(text !== before && resized(editor, table, range!, t('rules.columnStem'))),
    };
    const operations = [changeTable(editor, id, patch)];
    const isMade = editor.change(...operations);
    const now = itemsOf(
      editor.session.workbook.sheets.find((sheet) => sheet.id === editor.sheetId.peek())!,
      'table',
    ).get(id);
    const wantsTotals = fields.has('totals');
    if (isMade && now && wantsTotals !== Boolean(now.hasTotals))
      editor.change(...toggleTotals(editor, [id, now], t('ruleDialogs.totalsLabel')));
    if (isMade) onClose();
  };
  return (
    <FormDialog
      title={t('ruleDialogs.tableOf', { name: table.name })}
      submitLabel={t('sheet.apply')}
      canSubmit={problem === null}
      onClose={onClose}
      onSubmit={submit}
    >
      <div class="field-row">
        <label class="field">
          {t('sheet.name')}
          <input data-first value={name} onInput={(event) => setName(event.currentTarget.value.trim())} />
        </label>
        <label class="field">
          {t('ruleDialogs.cells')}
          <input value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </div>
      <label class="field">
        {t('ruleDialogs.tableStyle')}
        <select name="style">
          {[...new Set([...styles, table.style ?? usualStyle])].map((style) => (
            <option key={style} value={style} selected={style === (table.style ?? usualStyle)}>
              {style.replace('TableStyle', '').replace(/(\d+)$/, ' $1')}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="rule-checks">
        {looks.map((look) => (
          <label key={look}>
            <input type="checkbox" name={look} defaultChecked={table[look] === true} />
            {t(`ruleDialogs.table_${look}`)}
          </label>
        ))}
        <label>
          <input type="checkbox" name="buttons" defaultChecked={table.hidesButtons !== true} />
          {t('ruleDialogs.table_buttons')}
        </label>
        <label>
          <input type="checkbox" name="totals" defaultChecked={table.hasTotals === true} />
          {t('ruleDialogs.table_totals')}
        </label>
      </fieldset>
      <Button
        onClick={() => {
          if (convertToRange(editor, found)) onClose();
        }}
      >
        {t('ruleDialogs.toRange')}
      </Button>
      <p class="field-error" role="alert">
        {problem ?? ''}
      </p>
    </FormDialog>
  );
}
