import { expect, it } from 'vitest';
import { plainSheet } from '../testing/plain-sheet.ts';
import type { ConditionPainters } from './drawn-sheet.ts';
import { GridLayout } from './grid-layout.ts';
import { GridPainter } from './grid-painter.ts';
import type { Palette } from './palette.ts';

const palette: Palette = {
  ...{ page: '#ffffff', text: '#111111', gridline: '#dddddd', header: '#eeeeee', headerText: '#222222' },
  ...{ headerSelected: '#cccccc', headerEdge: '#bbbbbb', accent: '#0000ff', onAccent: '#ffffff' },
  ...{ danger: '#ff0000', font: 'Test' },
};

/** A canvas that only remembers in which colour, and from where, each text was drawn. */
function recorder() {
  const drawn = new Map<string, string>();
  const places = new Map<string, number>();
  const saved: string[] = [];
  const nothing = () => undefined;
  const context = {
    fillStyle: '',
    save: () => saved.push(context.fillStyle),
    restore: () => {
      context.fillStyle = saved.pop()!;
    },
    fillText: (text: string, x: number) => {
      drawn.set(text, context.fillStyle);
      places.set(text, x);
    },
    ...{ fillRect: nothing, beginPath: nothing, rect: nothing, clip: nothing, setLineDash: nothing },
  };
  return { drawn, places, context: context as unknown as CanvasRenderingContext2D };
}

const measures = {
  measure: (text: string) => text.length * 7,
  heights: () => ({ ascent: 10, descent: 3 }),
};

it('[XU8] a number format that fills its cell has its parts at both edges, and the sign over and over between them', () => {
  const { places, context } = recorder();
  const plain = plainSheet({ cells: { A1: 1 } });
  const shown = { ...plain.cellAt(0, 0)!, text: '$12', filler: { at: 1, sign: ' ' } };
  const dotted = { ...shown, text: '9', filler: { at: 1, sign: '.' } };
  const sheet = {
    ...plain,
    cellAt: (row: number, column: number) =>
      column > 0 ? null : row === 0 ? shown : row === 1 ? dotted : null,
  };
  const layout = new GridLayout({
    ...{ sheet, width: 300, height: 300, scroll: { x: 0, y: 0 }, pixelRatio: 1 },
  });
  new GridPainter({ context, measures, fitNumber: () => null }).paint(layout, palette, 1);
  const left = places.get('$')!;
  expect(places.get('12')! - left).toBe(64 - 2 * 3 - 14);
  expect(places.get('9.......')).toBe(left);
});

it('[XS277] a bar is drawn for the text that stands on it, and for none where its rule shows none', () => {
  const grounds: (string | null)[] = [];
  const plain = plainSheet({ cells: { A1: 1 } });
  const bar = { from: 0, to: 1, color: '#7ed138', isSolid: true, axis: null };
  const shown = { ...plain.cellAt(0, 0)!, bar };
  const sheet = {
    ...plain,
    conditionPainters: {
      paintBar: (...[, , , { ground }]: Parameters<ConditionPainters['paintBar']>) =>
        grounds.push(ground.text),
    } as unknown as ConditionPainters,
    cellAt: (row: number, column: number) =>
      column > 0 || row > 1 ? null : row === 0 ? shown : { ...shown, text: '' },
  };
  const layout = new GridLayout({
    ...{ sheet, width: 300, height: 300, scroll: { x: 0, y: 0 }, pixelRatio: 1 },
  });
  new GridPainter({ context: recorder().context, measures, fitNumber: () => null }).paint(layout, palette, 1);
  expect(grounds).toEqual(['#111111', null]);
});

it('[XU1] text that reaches over empty cells is drawn in its colour, and so is what stands behind it', () => {
  const { drawn, context } = recorder();
  const sheet = plainSheet({
    cells: { A1: 'short', B1: 'a text that is long', F1: 'after', A2: 12, B2: 'another long text' },
  });
  const layout = new GridLayout({
    ...{ sheet, width: 900, height: 300, scroll: { x: 0, y: 0 }, pixelRatio: 1 },
  });
  new GridPainter({ context, measures, fitNumber: () => null }).paint(layout, palette, 1);
  expect([...drawn.keys()].sort()).toEqual([
    ...['12', 'a text that is long', 'after', 'another long text', 'short'],
  ]);
  expect(new Set(drawn.values())).toEqual(new Set([palette.text]));
});

it('[XS205] text that stands aslant is seen over the cells beside it, within its row, and begins in the middle of its cell', () => {
  const { context } = recorder();
  const clips: number[][] = [];
  const middles: number[][] = [];
  Object.assign(context, {
    rect: (...rect: number[]) => clips.push(rect),
    translate: (...place: number[]) => middles.push(place),
    rotate: () => undefined,
  });
  const plain = plainSheet({ cells: { A1: 'North', B1: 'East' } });
  const slanted = (column: number, horizontal: 'general' | 'center') => {
    const cell = plain.cellAt(0, column)!;
    return { ...cell, look: { ...cell.look, rotation: 45, horizontal } };
  };
  const cells = [slanted(0, 'general'), slanted(1, 'center')];
  const sheet = {
    ...plain,
    cellAt: (row: number, column: number) => (row === 0 ? (cells[column] ?? null) : null),
  };
  const layout = new GridLayout({
    ...{ sheet, width: 300, height: 300, scroll: { x: 0, y: 0 }, pixelRatio: 1 },
  });
  new GridPainter({ context, measures, fitNumber: () => null }).paint(layout, palette, 1);
  const [pane, ...texts] = clips;
  const first = layout.rectsOf([0, 0, 0, 0])[0]!.rect;
  expect(texts).toEqual([0, 1].map(() => [pane![0], first.y, pane![2], first.height]));
  const lean = ('East'.length * 7 * Math.SQRT1_2) / 2;
  expect(middles[1]![0]).toBeCloseTo(first.x + 64 * 1.5 + lean, 1);
});

it('[XS207] text that is not broken into lines is one line, whatever line breaks it has', () => {
  const { drawn, context } = recorder();
  const plain = plainSheet({ cells: { A1: 'one\ntwo', B1: 'three\r\nfour' } });
  const wrapped = plain.cellAt(0, 1)!;
  const broken = { ...wrapped, look: { ...wrapped.look, wrap: true } };
  const cellAt = (row: number, column: number) =>
    row > 0 ? null : column === 0 ? plain.cellAt(0, 0) : column === 1 ? broken : null;
  const layout = new GridLayout({
    ...{ sheet: { ...plain, cellAt }, width: 300, height: 300, scroll: { x: 0, y: 0 }, pixelRatio: 1 },
  });
  new GridPainter({ context, measures, fitNumber: () => null }).paint(layout, palette, 1);
  expect([...drawn.keys()].sort()).toEqual(['four', 'onetwo', 'three']);
});
