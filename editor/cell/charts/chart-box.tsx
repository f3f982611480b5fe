import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Chart } from '../../../model/cell/chart.ts';
import type { Drawing } from '../../../model/cell/items.ts';
import { fontStack } from '../../kit/fonts.ts';
import { shownTheme } from '../../theme/theme.ts';
import type { CellEditor } from '../cell-editor.ts';
import './charts.css';

/** A drawing waits so long for further changes of the cells, once it has been made. */
const patienceMs = 150;

interface DrawnChart {
  /** Everything that it was drawn from: what is equal is not drawn again. */
  readonly key: string;
  readonly svg: Element | null;
  readonly words: string;
  /** CSS. */
  readonly background: string;
  readonly border: string;
}

/** The last drawing of each chart: one that comes into sight again costs nothing. */
const lastDrawn = new WeakMap<Chart, DrawnChart>();

interface ChartBoxProps {
  readonly editor: CellEditor;
  readonly chart: Chart;
  readonly drawing: Drawing;
  /** Pixels at a zoom of 1. */
  readonly width: number;
  readonly height: number;
  /** What it is called until it is drawn. */
  readonly name: string;
}

/**
 * A chart of the sheet that is shown. It is there only while it is in sight, and is drawn anew when something that it shows has
 * changed. What draws it is loaded with the first one.
 */
export function ChartBox({ editor, chart, drawing, width, height, name }: ChartBoxProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useSignal(lastDrawn.get(chart) ?? null);
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const draw = async () => {
      const charts = await import('./charts.ts');
      if (isGone) return;
      const last = lastDrawn.get(chart) ?? null;
      const next = drawnChart(charts, { editor, chart, width, height, last });
      lastDrawn.set(chart, next);
      drawn.value = next;
    };
    const stop = effect(() => {
      editor.page.workbook.value;
      editor.cells.changes.value;
      shownTheme.value;
      clearTimeout(timer);
      // Where the module cannot be loaded, the box goes on saying what it is.
      timer = window.setTimeout(
        () => void draw().catch(() => undefined),
        drawn.peek() === null ? 0 : patienceMs,
      );
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop();
    };
  }, [editor, chart, width, height]);
  const { svg = null, words = name, background, border } = drawn.value ?? {};
  useEffect(() => {
    // One drawing may be seen in several panes.
    place.current?.replaceChildren(...(svg ? [svg.cloneNode(true)] : []));
  }, [svg]);
  const label = [drawing.description, words].filter((part) => part).join('. ');
  return (
    <div
      class={svg ? 'chart-box' : 'chart-box chart-box-opaque'}
      role="img"
      aria-label={label}
      // Words of each language turn by themselves; places are those of the library.
      dir="ltr"
      style={{ background, border }}
    >
      <div class="chart-drawing" aria-hidden="true" ref={place} />
      {!svg && <span aria-hidden="true">{words}</span>}
    </div>
  );
}

interface Drawn {
  readonly editor: CellEditor;
  readonly chart: Chart;
  readonly width: number;
  readonly height: number;
  readonly last: DrawnChart | null;
}

function drawnChart(
  { chartLook, chartWords, drawChart, shownChart }: typeof import('./charts.ts'),
  { editor, chart, width, height, last }: Drawn,
): DrawnChart {
  const workbook = editor.page.workbook.peek();
  const { settings } = editor.page;
  const shown = shownChart(chart, { workbook, valueOf: editor.cells.valueOf, settings });
  const style = getComputedStyle(document.documentElement);
  const page = {
    background: style.getPropertyValue('--color-page').trim(),
    text: style.getPropertyValue('--color-page-text').trim(),
    font: fontStack(workbook.properties.theme?.minorFont ?? 'Calibri'),
  };
  const key = JSON.stringify([shown, page, width, height, settings]);
  if (last?.key === key) return last;
  const look = chartLook(shown, page);
  const line = shown.border.color === null ? look.border : look.told(shown.border.color);
  return {
    key,
    svg: shown.form === 'none' ? null : elementOf(drawChart(shown, { width, height, look, settings })),
    words: chartWords(shown, settings),
    background: look.background ?? 'transparent',
    border: shown.border.isNone ? '0' : `1px solid ${line}`,
  };
}

const elementOf = (svg: string): Element =>
  new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
