import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { editedText } from '../commands/cell-input.ts';
import { goTo } from '../commands/going.ts';
import { cellName, rangeOf } from '../grid/cell-areas.ts';
import type { CellDifference, SheetDifference } from './compared-sheets.ts';
import './difference-list.css';

/** More are not listed one by one: nobody reads them, and they are marked in the cells all the same. */
const mostListed = 500;

/** What a version that is shown has that the one before had not; a press on an entry leads to its cell. */
export function DifferenceList({ editor }: { editor: CellEditor }) {
  const differences = editor.marks.differences.value;
  if (differences.length === 0) return null;
  const rest = differences.length - mostListed;
  return (
    <>
      <ol class="differences" aria-label={t('sheet.differences')}>
        {differences.slice(0, mostListed).map((one, at) => (
          <li key={at}>
            {one.kind === 'cell' ? (
              <CellEntry editor={editor} difference={one} />
            ) : (
              <p class="difference">{sheetText(one)}</p>
            )}
          </li>
        ))}
      </ol>
      {rest > 0 && <p>{t('sheet.moreDifferences', { count: rest })}</p>}
    </>
  );
}

function CellEntry({ editor, difference }: { editor: CellEditor; difference: CellDifference }) {
  const { sheet, cell } = difference;
  const workbook = editor.page.workbook.value;
  const name = workbook.sheets.find(({ id }) => id === sheet)?.properties.name ?? '';
  const text = ({ value, formula }: CellDifference['before']) =>
    editedText(
      { value, formula: formula?.text ?? null, format: editor.page.formatAt(cell) },
      editor.page.settings,
    );
  const [before, after] = [text(difference.before), text(difference.after)];
  return (
    <button type="button" class="difference" onClick={() => goTo(editor, sheet, [rangeOf(cell)])}>
      <strong>{`${name} ${cellName(cell)}`}</strong>
      <span class="difference-values">
        <del>
          <span class="visually-hidden">{t('sheet.valueBefore')} </span>
          {before || t('sheet.empty')}
        </del>
        <span aria-hidden="true"> → </span>
        <ins>
          <span class="visually-hidden">{t('sheet.valueAfter')} </span>
          {after || t('sheet.empty')}
        </ins>
      </span>
    </button>
  );
}

function sheetText(one: Exclude<SheetDifference, CellDifference>): string {
  switch (one.kind) {
    case 'sheetAdded':
      return t('sheet.sheetAdded', { name: one.name });
    case 'sheetRemoved':
      return t('sheet.sheetRemoved', { name: one.name });
    case 'sheetRenamed':
      return t('sheet.sheetRenamed', { name: one.name, before: one.before });
  }
}
