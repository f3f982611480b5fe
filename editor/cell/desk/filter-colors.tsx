import { useMemo } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import type { FilteredColumn } from '../commands/filtered-lists.ts';
import { colorsOf, columnOfColor, filterColorOf, setFilter, sortByColor } from '../commands/filtering.ts';

interface FilterColorsProps {
  editor: CellEditor;
  canSort: boolean;
  canFilter: boolean;
  column: FilteredColumn;
  onClose: () => void;
}

/** The colours of a column's cells and texts: each filters, or puts its rows first. */
export function FilterColors({ editor, column, canSort, canFilter, onClose }: FilterColorsProps) {
  const { fills, fonts } = useMemo(() => colorsOf(editor, column), [editor, column]);
  const isOfFont = column.own?.color?.ofFont;
  const filtered = filterColorOf(editor, column);
  const rows = [
    ['sheet.byFill', fills, false, 'filter'],
    ['sheet.byFontColor', fonts, true, 'filter'],
    ['sheet.fillFirst', fills, false, 'sort'],
    ['sheet.fontColorFirst', fonts, true, 'sort'],
  ] as const;
  return (
    <>
      {rows.map(
        ([label, colors, ofFont, act]) =>
          colors.length > 0 && (
            <div key={label} class="filter-colors" role="group" aria-label={t(label)}>
              <span>{t(label)}</span>
              {colors.map((color) => (
                <button
                  key={color ?? ''}
                  type="button"
                  disabled={act === 'filter' ? !canFilter : !canSort}
                  class={color === null ? 'no-color' : undefined}
                  aria-label={color === null ? undefined : t('toolbar.color', { value: color.toUpperCase() })}
                  aria-pressed={act === 'filter' ? isOfFont === ofFont && filtered === color : undefined}
                  style={color === null ? undefined : { '--swatch': color }}
                  onClick={() => {
                    if (act === 'sort') sortByColor(editor, column, color, ofFont);
                    else setFilter(editor, column, columnOfColor(column, color, ofFont));
                    onClose();
                  }}
                >
                  {color === null && t(ofFont ? 'toolbar.automatic' : 'filtering.noFill')}
                </button>
              ))}
            </div>
          ),
      )}
    </>
  );
}
