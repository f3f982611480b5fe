import { ArrowDown, ArrowUp, Trash2 } from 'lucide-preact';
import type { Color } from '../../../../model/cell/cell-format.ts';
import type { Chart, ChartSeries } from '../../../../model/cell/chart.ts';
import type { SeriesFields } from '../../../../model/cell/chart-change.ts';
import { isRound } from '../../../../model/cell/chart-kinds.ts';
import { IconButton } from '../../../kit/button.tsx';
import { t } from '../../../strings/strings.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { cssColor } from '../../shown/sheet-colors.ts';
import { CellColorButton } from '../../toolbar/cell-color-button.tsx';
import { chartColors, seriesColor } from '../chart-colors.ts';
import { DraftField } from './draft-field.tsx';
import { readCells, readWords, shownData } from './typed-data.ts';

interface SeriesFieldsetProps {
  readonly editor: CellEditor;
  readonly chart: Chart;
  readonly series: ChartSeries;
  readonly at: number;
  /** What it is called. */
  readonly name: string;
  /** Null takes it out. */
  readonly change: (fields: SeriesFields | null) => boolean;
  readonly move: (by: 1 | -1) => void;
}

/** One series of a chart: its name, its cells, its colour, its place among the others. */
export function SeriesFieldset({ editor, chart, series, at, name, change, move }: SeriesFieldsetProps) {
  const workbook = editor.workbook.value;
  const { sheet } = editor;
  const theme = workbook.properties.theme?.colors;
  const count = chart.series.length;
  // Points without a line have the colour of their marks.
  const { marker, stroke } = series;
  const own = stroke?.none ? marker?.color : series.color;
  const color = cssColor(own, theme) ?? seriesColor(series, at, count, chartColors(chart, theme));
  const paint = (next: Color | null) => {
    if (!stroke?.none) return change({ color: next });
    const { color: _color, ...rest } = marker ?? {};
    const painted = next === null ? rest : { ...rest, color: next };
    return change({ marker: Object.keys(painted).length > 0 ? painted : null });
  };
  const canOrder = chart.editable !== false;
  return (
    <details>
      <summary>
        <span class="chart-swatch" style={{ background: color }} aria-hidden="true" />
        <span dir="auto">{name}</span>
      </summary>
      <div class="form">
        <DraftField
          label={t('charts.name')}
          value={shownData(series.name)}
          onEnter={(typed) => {
            const formula = typed.trim() === '' ? null : readWords(typed, sheet, workbook);
            if (typed.trim() !== '' && formula === null) return t('charts.noCells');
            change({ name: formula });
            return null;
          }}
        />
        <DraftField
          label={t(chart.type === 'scatter' ? 'charts.across' : 'charts.categories')}
          value={shownData(series.categories)}
          onEnter={(typed) => {
            const formula = typed.trim() === '' ? null : readCells(typed, sheet, workbook);
            if (typed.trim() !== '' && formula === null) return t('charts.noCells');
            change({ categories: formula });
            return null;
          }}
        />
        <DraftField
          label={t('charts.values')}
          value={shownData(series.values)}
          onEnter={(typed) => {
            const formula = readCells(typed, sheet, workbook);
            if (formula === null) return t('charts.noCells');
            change({ values: formula });
            return null;
          }}
        />
        {!isRound(chart.type) && (
          <div class="chart-panel-buttons">
            <CellColorButton
              editor={editor}
              label={t('charts.color')}
              color={own}
              shown={/^#[0-9a-f]{6}$/.test(color) ? color : '#808080'}
              noneLabel={t('charts.automatic')}
              onChoose={paint}
            >
              {t('charts.color')}
            </CellColorButton>
          </div>
        )}
        <div class="chart-panel-buttons">
          <IconButton
            label={t('charts.up', { name })}
            disabled={!canOrder || at === 0}
            onClick={() => move(-1)}
          >
            <ArrowUp size={16} />
          </IconButton>
          <IconButton
            label={t('charts.down', { name })}
            disabled={!canOrder || at === count - 1}
            onClick={() => move(1)}
          >
            <ArrowDown size={16} />
          </IconButton>
          <IconButton
            label={t('charts.removeOf', { name })}
            disabled={count < 2}
            onClick={() => change(null)}
          >
            <Trash2 size={16} />
          </IconButton>
        </div>
      </div>
    </details>
  );
}
