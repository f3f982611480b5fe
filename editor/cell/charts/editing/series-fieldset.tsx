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
export function SeriesFieldset(props: SeriesFieldsetProps) {
  const { editor, chart, series, at, name, change } = props;
  const theme = editor.page.workbook.value.properties.theme?.colors;
  const own = ownColor(series);
  const color =
    cssColor(own, theme) ?? seriesColor(series, at, chart.series.length, chartColors(chart, theme));
  return (
    <details>
      <summary>
        <span class="chart-swatch" style={{ background: color }} aria-hidden="true" />
        <span dir="auto">{name}</span>
      </summary>
      <div class="form">
        <DataFields {...props} />
        {!isRound(chart.type) && (
          <div class="chart-panel-buttons">
            <CellColorButton
              editor={editor}
              label={t('chartEditing.color')}
              color={own}
              shown={/^#[0-9a-f]{6}$/.test(color) ? color : '#808080'}
              noneLabel={t('chartEditing.automatic')}
              onChoose={(next) => change(painted(series, next))}
            >
              {t('chartEditing.color')}
            </CellColorButton>
          </div>
        )}
        <OrderButtons {...props} />
      </div>
    </details>
  );
}

/** Points without a line have the colour of their marks. */
const ownColor = ({ stroke, marker, color }: ChartSeries): Color | undefined =>
  stroke?.none ? marker?.color : color;

/** What gives a series another colour; null: that of its place. */
function painted({ stroke, marker }: ChartSeries, color: Color | null): SeriesFields {
  if (!stroke?.none) return { color };
  const { color: _color, ...rest } = marker ?? {};
  const next = color === null ? rest : { ...rest, color };
  return { marker: Object.keys(next).length > 0 ? next : null };
}

/** Where the name and the data of a series are. */
function DataFields({ editor, chart, series, change }: SeriesFieldsetProps) {
  const field = (part: 'name' | 'categories' | 'values', label: string) => (
    <DraftField
      label={label}
      value={shownData(series[part])}
      onEnter={(typed) => {
        const isEmpty = part !== 'values' && typed.trim() === '';
        const read = part === 'name' ? readWords : readCells;
        const formula = isEmpty ? null : read(typed, editor.page.sheet, editor.page.workbook.value);
        if (formula === null && !isEmpty) return t('chartEditing.noCells');
        change({ [part]: formula } as SeriesFields);
        return null;
      }}
    />
  );
  return (
    <>
      {field('name', t('chartEditing.name'))}
      {field('categories', t(chart.type === 'scatter' ? 'chartEditing.across' : 'chartEditing.categories'))}
      {field('values', t('chartEditing.values'))}
    </>
  );
}

function OrderButtons({ chart, at, name, change, move }: SeriesFieldsetProps) {
  const count = chart.series.length;
  const canOrder = chart.editable !== false;
  return (
    <div class="chart-panel-buttons">
      <IconButton
        label={t('chartEditing.up', { name })}
        disabled={!canOrder || at === 0}
        onClick={() => move(-1)}
      >
        <ArrowUp size={16} />
      </IconButton>
      <IconButton
        label={t('chartEditing.down', { name })}
        disabled={!canOrder || at === count - 1}
        onClick={() => move(1)}
      >
        <ArrowDown size={16} />
      </IconButton>
      <IconButton
        label={t('chartEditing.removeOf', { name })}
        disabled={count < 2}
        onClick={() => change(null)}
      >
        <Trash2 size={16} />
      </IconButton>
    </div>
  );
}
