import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Chart, ChartSeries } from '../../../../model/cell/chart.ts';
import {
  type ChartChange,
  isClosed,
  nextSeriesNumber,
  type SeriesFields,
  seriesNumbers,
} from '../../../../model/cell/chart-change.ts';
import { isRound } from '../../../../model/cell/chart-kinds.ts';
import { type TypedValue, typedValue } from '../../../../model/cell/formats/typed-value.ts';
import { Button } from '../../../kit/button.tsx';
import { t } from '../../../strings/strings.ts';
import type { CellEditor } from '../../cell-editor.ts';
import { editedText } from '../../commands/cell-input.ts';
import { absoluteReference } from '../../commands/names.ts';
import { chartKindWords } from '../chart-words.ts';
import { dataOfPart, textOfPart } from '../series-data.ts';
import { blockOfChart, type ChartBlock, changeToBlock, placeOfReference } from './chart-block.ts';
import { type ChartLookName, changeToLook, chartLooks, likeOthers, lookOfChart } from './chart-looks.ts';
import { layoutOf } from './chart-of-cells.ts';
import { DraftField } from './draft-field.tsx';
import { cellsOfChart, changeChart, chosenCells } from './insert-chart.ts';
import { SeriesFieldset } from './series-fieldset.tsx';
import { readCells } from './typed-data.ts';
import '../../../kit/form.css';
import './chart-panel.css';

interface ChartPanelProps {
  readonly editor: CellEditor;
  readonly id: string;
  readonly chart: Chart;
}

/** What of a chart can be changed. Every change is made at once, for everybody. */
export function ChartPanel({ editor, id, chart }: ChartPanelProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.querySelector<HTMLElement>('select, input, button')?.focus();
  }, [id]);
  const change = (of: ChartChange) => changeChart(editor, id, of);
  if (isClosed(chart))
    return (
      <div class="chart-panel">
        <p>{t('chartEditing.closed', { kind: chartKindWords(chart.type) })}</p>
      </div>
    );
  return (
    <div class="chart-panel" ref={place}>
      <KindField chart={chart} change={change} />
      <DraftField
        label={t('chartEditing.title')}
        value={chart.title ?? ''}
        onEnter={(typed) => {
          const title = typed.trim() === '' ? null : typed;
          change({ patch: { title, titleFormula: null, autoTitle: null } });
          return null;
        }}
      />
      <BlockFields {...{ editor, chart, change }} />
      <SeriesList {...{ editor, chart, change }} />
      {!isRound(chart.type) && <AxisFields {...{ editor, chart, change }} />}
      <LegendField chart={chart} change={change} />
      <LabelsField chart={chart} change={change} />
      <p class="chart-panel-note">{t(chart.solid ? 'chartEditing.solid' : 'chartEditing.notHere')}</p>
    </div>
  );
}

interface PartProps {
  readonly chart: Chart;
  readonly change: (of: ChartChange) => boolean;
}

function KindField({ chart, change }: PartProps) {
  if (chart.editable === false)
    return (
      <p class="chart-panel-note">{t('chartEditing.kindFixed', { kind: chartKindWords(chart.type) })}</p>
    );
  return (
    <label class="field">
      {t('chartEditing.kind')}
      <select
        value={lookOfChart(chart) ?? ''}
        onChange={(event) => {
          const name = event.currentTarget.value as ChartLookName;
          change(changeToLook(chart, name));
        }}
      >
        {lookOfChart(chart) === null && <option value="">{chartKindWords(chart.type)}</option>}
        {Object.entries(chartLooks).map(([name, { label }]) => (
          <option key={name} value={name}>
            {t(label)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The cells that a chart is of, as one block. */
function BlockFields({ editor, chart, change }: PartProps & { editor: CellEditor }) {
  if (chart.editable === false) return null;
  const workbook = editor.page.workbook.value;
  const block = blockOfChart(chart, workbook);
  const use = (next: ChartBlock) => change(changeToBlock(chart, next));
  const useRange = (typed: string): string | null => {
    const formula = readCells(typed, editor.page.sheet, workbook);
    const place = placeOfReference(formula ?? undefined, workbook);
    if (!place) return t('chartEditing.noCells');
    use({ ...place, layout: layoutOf(cellsOfChart(editor, place.sheet), place.range) });
    return null;
  };
  return (
    <>
      <DraftField
        label={t('chartEditing.range')}
        value={block ? `=${absoluteReference(block.sheet, block.range)}` : ''}
        placeholder={block ? '' : t('chartEditing.severalRanges')}
        onEnter={useRange}
      />
      <div class="chart-panel-buttons">
        <Button onClick={() => void useRange(absoluteReference(editor.page.sheet, chosenCells(editor)))}>
          {t('chartEditing.useSelection')}
        </Button>
        <Button
          disabled={block === null}
          onClick={() => {
            const seriesIn = block!.layout.seriesIn === 'columns' ? 'rows' : 'columns';
            use({ ...block!, layout: { ...block!.layout, seriesIn } });
          }}
        >
          {t('chartEditing.swap')}
        </Button>
      </div>
    </>
  );
}

function SeriesList({ editor, chart, change }: PartProps & { editor: CellEditor }) {
  const numbers = seriesNumbers(chart.series);
  const shown = {
    workbook: editor.page.workbook.value,
    valueOf: editor.cells.valueOf,
    settings: editor.page.settings,
  };
  const move = (at: number, by: 1 | -1) => {
    const order = [...numbers];
    [order[at], order[at + by]] = [order[at + by]!, order[at]!];
    return change({ order });
  };
  return (
    <section class="chart-series" aria-label={t('chartEditing.series')}>
      <h3>{t('chartEditing.series')}</h3>
      {chart.series.map((series, at) => (
        <SeriesFieldset
          key={numbers[at]}
          {...{ editor, chart, series, at }}
          name={
            textOfPart(dataOfPart(series, 'name', chart, shown)) ??
            t('chartWords.chartSeries', { number: at + 1 })
          }
          change={(fields: SeriesFields | null) => change({ series: { [numbers[at]!]: fields } })}
          move={(by) => move(at, by)}
        />
      ))}
      {chart.editable !== false && (
        <Button
          onClick={() => {
            const values = absoluteReference(editor.page.sheet, editor.range);
            const { categories } = chart.series[0] ?? ({} as ChartSeries);
            const added = { values, ...(categories !== undefined && { categories }), ...likeOthers(chart) };
            change({ series: { [nextSeriesNumber(chart)]: added } });
          }}
        >
          {t('chartEditing.addSeries')}
        </Button>
      )}
    </section>
  );
}

function AxisFields({ editor, chart, change }: PartProps & { editor: CellEditor }) {
  const { settings } = editor.page;
  const endOf = (value: number | undefined) =>
    value === undefined ? '' : editedText({ value, formula: null, format: {} }, settings);
  const grid = chart.axes?.value?.gridlines !== false;
  return (
    <section aria-label={t('chartEditing.axes')}>
      <h3>{t('chartEditing.axes')}</h3>
      {(['categoryTitle', 'valueTitle'] as const).map((field) => (
        <DraftField
          key={field}
          label={t(`chartEditing.${field}`)}
          value={chart[field] ?? ''}
          onEnter={(typed) => {
            const axis = field === 'categoryTitle' ? 'category' : 'value';
            const hasFormula = chart.axes?.[axis]?.titleFormula !== undefined;
            change({
              patch: { [field]: typed.trim() === '' ? null : typed },
              ...(hasFormula && { axes: { [axis]: { titleFormula: null } } }),
            });
            return null;
          }}
        />
      ))}
      <div class="field-row">
        {(['minimum', 'maximum'] as const).map((field) => (
          <DraftField
            key={field}
            label={t(`chartEditing.${field}`)}
            value={endOf(chart[field])}
            placeholder={t('chartEditing.automatic')}
            isNumber
            onEnter={(typed) => enterEnd(chart, field, typedValue(typed.trim(), 'General', settings), change)}
          />
        ))}
      </div>
      <label class="chart-check">
        <input
          type="checkbox"
          checked={grid}
          onChange={() => change({ axes: { value: { gridlines: grid ? false : null } } })}
        />
        {t('chartEditing.gridlines')}
      </label>
    </section>
  );
}

function enterEnd(
  chart: Chart,
  field: 'minimum' | 'maximum',
  typed: TypedValue,
  change: PartProps['change'],
): string | null {
  if (typed.kind === 'nothing') {
    change({ patch: { [field]: null } });
    return null;
  }
  if (typed.kind !== 'number') return t('chartEditing.noNumber');
  const { number } = typed;
  const minimum = field === 'minimum' ? number : chart.minimum;
  const maximum = field === 'maximum' ? number : chart.maximum;
  if (minimum !== undefined && maximum !== undefined && minimum >= maximum) return t('chartEditing.noEnds');
  change({ patch: { [field]: number } });
  return null;
}

const legends = ['right', 'left', 'top', 'bottom', 'topRight'] as const;

function LegendField({ chart, change }: PartProps) {
  return (
    <label class="field">
      {t('chartEditing.legend')}
      <select
        value={chart.legend ?? 'none'}
        onChange={(event) => {
          const place = event.currentTarget.value;
          change({ patch: { legend: place === 'none' ? null : place } });
        }}
      >
        <option value="none">{t('chartEditing.none')}</option>
        {legends.map((place) => (
          <option key={place} value={place}>
            {t(`chartEditing.legend_${place}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

const labelChoices = {
  value: ['value'],
  percent: ['percent'],
  category: ['category'],
  series: ['series'],
  both: ['category', 'value'],
} as const;

/** What stands at the points of all series. */
function LabelsField({ chart, change }: PartProps) {
  const said = new Set(
    chart.series.map(({ labels, labelParts = ['value'] }) =>
      labels ? labelParts.toSorted().join() : 'none',
    ),
  );
  const [only = 'none'] = said;
  const known = Object.entries(labelChoices).find(([, parts]) => parts.toSorted().join() === only)?.[0];
  const current = said.size > 1 ? 'other' : only === 'none' ? 'none' : (known ?? 'other');
  const choices = Object.keys(labelChoices).filter((name) => name !== 'percent' || isRound(chart.type));
  return (
    <label class="field">
      {t('chartEditing.labels')}
      <select
        value={current}
        onChange={(event) => {
          const name = event.currentTarget.value as keyof typeof labelChoices | 'none' | 'other';
          if (name === 'other') return;
          const fields: SeriesFields =
            name === 'none'
              ? { labels: null, labelParts: null }
              : { labels: true, labelParts: name === 'value' ? null : labelChoices[name] };
          const numbers = seriesNumbers(chart.series);
          change({ series: Object.fromEntries(numbers.map((number) => [number, fields])) });
        }}
      >
        <option value="none">{t('chartEditing.none')}</option>
        {choices.map((name) => (
          <option key={name} value={name}>
            {t(`chartEditing.labels_${name as keyof typeof labelChoices}`)}
          </option>
        ))}
        {current === 'other' && <option value="other">{t('chartEditing.labels_other')}</option>}
      </select>
    </label>
  );
}
