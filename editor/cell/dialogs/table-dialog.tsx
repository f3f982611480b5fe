import { useState } from 'preact/hooks';
import { itemsOf, sheetOf } from '../../../model/cell/workbook.ts';
import { Button } from '../../kit/button.tsx';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { SelectField } from '../../kit/select-field.tsx';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { problemWithDefinedName } from '../commands/name-making.ts';
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
import { rangeName, readRange } from '../grid/cell-areas.ts';
import { CheckField } from './check-field.tsx';
import { tellCellsAreGone, useFollowedCells } from './followed-cells.ts';
import type { RuleDialogProps } from './rule-dialog.ts';

const styles = [
  ...['TableStyleLight1', 'TableStyleLight9', 'TableStyleLight15'],
  ...Array.from({ length: 14 }, (_, at) => `TableStyleMedium${at + 1}`),
  ...['TableStyleDark1', 'TableStyleDark2'],
];

/** Makes a table of what is selected, or changes the one that the active cell is in. */
export function TableDialog({ editor, onClose }: RuleDialogProps) {
  const [found] = useState(() => tableAt(editor.page.sheet, editor.selection.peek().active));
  return found ? (
    <ChangeTableDialog editor={editor} onClose={onClose} found={found} />
  ) : (
    <NewTableDialog editor={editor} onClose={onClose} />
  );
}

function NewTableDialog({ editor, onClose }: RuleDialogProps) {
  const [before] = useState(() => rangeName(tableRange(editor)));
  const [text, setText] = useState(before);
  const followed = useFollowedCells(editor);
  const [name, setName] = useState(() =>
    freeTableName(editor.page.workbook.peek(), t('ruleDialogs.tableStem')),
  );
  const range = readRange(text);
  const problem =
    !range || (range[0] === range[2] && range[1] === range[3] && text === '')
      ? t('ruleDialogs.noRange')
      : !canBeTable(editor.page.sheet, range)
        ? t('ruleDialogs.tableInTheWay')
        : problemWithDefinedName(editor.page.workbook.value, name);
  return (
    <FormDialog
      title={t('ruleDialogs.newTable')}
      submitLabel={t('dialogs.insert')}
      canSubmit={problem === null}
      onClose={onClose}
      onSubmit={(fields) => {
        const stem = t('rules.columnStem');
        const now = text === before ? followed(range!) : range;
        if (!now) {
          tellCellsAreGone();
          return onClose();
        }
        if (makeTable(editor, now, { name, hasHeader: fields.has('hasHeader'), stem })) onClose();
      }}
    >
      <div class="field-row">
        <InputField
          label={t('ruleDialogs.cells')}
          data-first
          value={text}
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <InputField
          label={t('sheet.name')}
          value={name}
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
      </div>
      <CheckField name="hasHeader" label={t('ruleDialogs.hasHeader')} isOn />
      <FieldError text={problem} />
    </FormDialog>
  );
}

const looks = ['rowStripes', 'columnStripes', 'firstColumn', 'lastColumn'] as const;

interface ChangeTableDialogProps extends RuleDialogProps {
  found: TableId;
}

function ChangeTableDialog({ editor, onClose, found }: ChangeTableDialogProps) {
  const [id, table] = found;
  const { name, setName, text, setText, problem, change } = useTableChange(editor, found);
  return (
    <FormDialog
      title={t('ruleDialogs.tableOf', { name: table.name })}
      submitLabel={t('sheet.apply')}
      canSubmit={problem === null}
      onClose={onClose}
      onSubmit={(fields) => {
        if (!change(fields)) return;
        setTotals(editor, id, fields.has('totals'));
        onClose();
      }}
    >
      <div class="field-row">
        <InputField
          label={t('sheet.name')}
          data-first
          value={name}
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
        <InputField
          label={t('ruleDialogs.cells')}
          value={text}
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <TableLooks table={table} />
      <Button
        onClick={() => {
          if (convertToRange(editor, found)) onClose();
        }}
      >
        {t('ruleDialogs.toRange')}
      </Button>
      <FieldError text={problem} />
    </FormDialog>
  );
}

/** Name and cells of a table as they are typed, what is wrong with them, and what makes the change of all that is said. */
function useTableChange(editor: CellEditor, [id, table]: TableId) {
  const before = rangeName(table.area);
  const [text, setText] = useState(before);
  const [name, setName] = useState(table.name);
  const range = readRange(text);
  const hasMoved = range !== null && table.hasHeader && range[0] !== table.area[0];
  const problem =
    !range || hasMoved || range[2] <= range[0]
      ? t('ruleDialogs.tableRange')
      : !canBeTable(editor.page.sheet, range, id)
        ? t('ruleDialogs.tableInTheWay')
        : problemWithDefinedName(editor.page.workbook.value, name, null, id);
  const change = (fields: FormData) =>
    editor.change(
      changeTable(editor.page, id, {
        ...(name !== table.name && { name }),
        style: String(fields.get('style')),
        ...Object.fromEntries(looks.map((look) => [look, fields.has(look)])),
        hidesButtons: !fields.has('buttons'),
        ...(text !== before && resized(editor.page, table, range!, t('rules.columnStem'))),
      }),
    );
  return { name, setName, text, setText, problem, change };
}

/** Gives a table a row of totals, or takes it away. */
function setTotals(editor: CellEditor, id: string, wanted: boolean): void {
  const sheet = sheetOf(editor.session.workbook, editor.page.sheetId.peek())!;
  const now = itemsOf(sheet, 'table').get(id);
  if (now && wanted !== Boolean(now.hasTotals))
    editor.change(...toggleTotals(editor, [id, now], t('ruleDialogs.totalsLabel')));
}

/** What a table looks like, and what it has. */
function TableLooks({ table }: { table: TableId[1] }) {
  const style = table.style ?? usualStyle;
  return (
    <>
      <SelectField
        label={t('ruleDialogs.tableStyle')}
        name="style"
        options={[...new Set([...styles, style])].map((one) => [
          one,
          one.replace('TableStyle', '').replace(/(\d+)$/, ' $1'),
        ])}
        first={style}
      />
      <fieldset class="rule-checks">
        {looks.map((look) => (
          <CheckField
            key={look}
            name={look}
            label={t(`ruleDialogs.table_${look}`)}
            isOn={table[look] === true}
          />
        ))}
        <CheckField
          name="buttons"
          label={t('ruleDialogs.table_buttons')}
          isOn={table.hidesButtons !== true}
        />
        <CheckField name="totals" label={t('ruleDialogs.table_totals')} isOn={table.hasTotals === true} />
      </fieldset>
    </>
  );
}
