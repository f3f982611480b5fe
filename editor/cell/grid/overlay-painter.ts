import { type Area, contains } from '../../../model/cell/area.ts';
import { columnName } from '../../../model/cell-address.ts';
import { hiddenBeside } from './axis.ts';
import { isOneCell, rangeOf, unionOf } from './cell-areas.ts';
import { mixed, readableOn } from './colors.ts';
import type { GridLayout, Pane } from './grid-layout.ts';
import type { Palette } from './palette.ts';
import type { Rect } from './rect.ts';
import type { Selection } from './selection.ts';

/** Where somebody else is. */
export interface RemoteSelection {
  readonly name: string;
  /** As CSS has it. */
  readonly color: string;
  readonly range: Area;
  /** Types into the cell at this moment. */
  readonly isEditing: boolean;
  /** Has just come here: the name would cover what stands in cells for longer than it is wanted. */
  readonly isNew: boolean;
}

/** A range in a colour: what a formula refers to, or what is found. */
export interface ColoredRange {
  readonly range: Area;
  readonly color: string;
  readonly isFilled: boolean;
}

/** What is drawn over the cells. */
export interface Overlay {
  readonly selection: Selection;
  /** Selected cells look so only while the grid can be typed in. */
  readonly isActive: boolean;
  readonly mayFill: boolean;
  /** The selection was made by a finger, and has a handle that one can take hold of. */
  readonly hasTouchHandle: boolean;
  readonly others: readonly RemoteSelection[];
  readonly colored: readonly ColoredRange[];
  /** What was copied and can be pasted. */
  readonly copied: readonly Area[];
  /** What a drag would fill, or move to. */
  readonly target: Area | null;
  /** How far the line is along which a row or column is made larger, and which it is. */
  readonly sizing: { readonly axis: 'row' | 'column'; readonly at: number } | null;
}

const handlePx = 7;
const touchHandlePx = 8;
const labelPx = 11;

/** Draws the headers, the selection and everything else that changes while the cells stay. */
export class OverlayPainter {
  readonly #context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** @param pixel a pixel of the screen in pixels of CSS */
  paint(layout: GridLayout, overlay: Overlay, palette: Palette, pixel: number): void {
    this.#context.clearRect(0, 0, layout.width, layout.height);
    for (const pane of layout.panes) {
      this.#clipped(pane.rect, () => {
        this.#pageBreaks(layout, pane, palette);
        this.#inPane(layout, pane, overlay, palette);
      });
    }
    this.#headers(layout, overlay.selection, palette, pixel);
    this.#frozenEdges(layout, palette, pixel);
    if (overlay.sizing) this.#sizing(layout, overlay.sizing, palette);
  }

  #inPane(layout: GridLayout, pane: Pane, overlay: Overlay, palette: Palette): void {
    const context = this.#context;
    const { selection, others, colored, copied, target } = overlay;
    const rectOf = (range: Area) => layout.rectIn(pane, range);
    for (const { range, color, isFilled } of colored) {
      if (isFilled) this.#wash(rectOf(range), color, 0.16);
      this.#frame(rectOf(range), color, 2);
    }
    for (const other of others) this.#other(rectOf(other.range), other);
    for (const other of others) {
      if (other.isEditing || other.isNew) this.#name(layout, pane, other, palette);
    }
    const current = selection.ranges[selection.current]!;
    const active = activeRange(layout, selection);
    for (const range of selection.ranges) {
      const isSingle = isOneCell(range) || contains(active, range);
      if (!isSingle) this.#washAround(rectOf(range), rectOf(active), palette.accent);
      if (selection.ranges.length > 1 || !isSingle) this.#frame(rectOf(range), palette.accent, 1);
    }
    if (selection.ranges.length === 1) this.#frame(rectOf(unionOf(current, active)), palette.accent, 2);
    else this.#frame(rectOf(active), palette.accent, 2);
    if (overlay.hasTouchHandle && selection.ranges.length === 1) {
      const { x, y } = touchHandleAt(layout, pane, unionOf(current, active));
      context.beginPath();
      context.arc(x, y, touchHandlePx, 0, Math.PI * 2);
      context.fillStyle = palette.accent;
      context.fill();
      context.strokeStyle = palette.page;
      context.lineWidth = 2;
      context.stroke();
    } else if (overlay.mayFill && selection.ranges.length === 1) {
      const { x, y, width, height } = fillHandleAt(layout, pane, unionOf(current, active));
      context.fillStyle = palette.page;
      context.fillRect(x - 1, y - 1, width + 2, height + 2);
      context.fillStyle = palette.accent;
      context.fillRect(x, y, width, height);
    }
    for (const range of copied) this.#frame(rectOf(range), palette.accent, 2, [5, 4]);
    if (target) this.#frame(rectOf(target), palette.headerText, 2, [3, 3]);
  }

  /** Dashed lines where pages begin. */
  #pageBreaks(layout: GridLayout, pane: Pane, { headerText }: Palette): void {
    const { pageBreaks, isRightToLeft } = layout.sheet;
    if (pageBreaks.rows.length + pageBreaks.columns.length === 0) return;
    const context = this.#context;
    const { x, y, width, height } = pane.rect;
    context.save();
    context.setLineDash([6, 4]);
    context.strokeStyle = headerText;
    context.lineWidth = 1;
    context.beginPath();
    for (const row of pageBreaks.rows) {
      const top = layout.rectIn(pane, [row, 0, row, 0]).y;
      if (top < y || top > y + height) continue;
      context.moveTo(x, top - 0.5);
      context.lineTo(x + width, top - 0.5);
    }
    for (const column of pageBreaks.columns) {
      const cell = layout.rectIn(pane, [0, column, 0, column]);
      const edge = isRightToLeft ? cell.x + cell.width : cell.x;
      if (edge < x || edge > x + width) continue;
      context.moveTo(edge - 0.5, y);
      context.lineTo(edge - 0.5, y + height);
    }
    context.stroke();
    context.restore();
  }

  #other(rect: Rect, { color, range }: RemoteSelection): void {
    if (!isOneCell(range)) this.#wash(rect, color, 0.1);
    this.#frame(rect, color, 2);
  }

  /** The name stands above the cells, and below them where there is no room. */
  #name(
    layout: GridLayout,
    pane: Pane,
    { name, color, isEditing, range }: RemoteSelection,
    { font }: Palette,
  ): void {
    const rect = layout.rectIn(pane, range);
    const context = this.#context;
    const label = isEditing ? `${name} …` : name;
    context.font = `${labelPx}px ${font}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const width = context.measureText(label).width + 8;
    const height = labelPx + 4;
    const isAbove = rect.y - height >= pane.rect.y;
    const y = isAbove ? rect.y - height : rect.y + rect.height;
    const x = layout.sheet.isRightToLeft ? rect.x + rect.width - width : rect.x - 1;
    context.fillStyle = color;
    context.fillRect(x, y, width, height);
    context.fillStyle = readableOn(color);
    context.fillText(label, x + 4, y + height / 2 + 0.5);
  }

  #headers(layout: GridLayout, { ranges }: Selection, palette: Palette, pixel: number): void {
    const context = this.#context;
    const { width, height, headerWidth, headerHeight, outlineWidth, outlineHeight, sheet } = layout;
    if (headerHeight === 0 && headerWidth === 0) return;
    const start = sheet.isRightToLeft ? width - headerWidth : 0;
    const names = layout.turned({
      x: outlineWidth,
      y: outlineHeight,
      width: headerWidth - outlineWidth,
      height: headerHeight - outlineHeight,
    });
    context.fillStyle = palette.header;
    context.fillRect(0, 0, width, headerHeight);
    context.fillRect(start, 0, headerWidth, height);
    context.font = `${Math.round(12 * Math.max(0.8, sheet.zoom))}px ${palette.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.direction = 'ltr';
    for (const { column, x, width: columnWidth, band } of layout.columnHeaders()) {
      const isSelected = ranges.some(([, left, , right]) => column >= left && column <= right);
      const isWhole = ranges.some(
        ([top, left, bottom, right]) =>
          column >= left && column <= right && isAllOf(top, bottom, sheet.rows.count),
      );
      this.#clipped(band, () => {
        this.#header({ x, y: names.y, width: columnWidth, height: names.height }, columnName(column), {
          ...{ isSelected, isWhole, palette, pixel },
        });
        for (const { isBefore } of hiddenBeside(sheet.columns, column)) {
          const edge = isBefore === sheet.isRightToLeft ? x + columnWidth : x;
          this.#hiddenMark({ x: edge - 2, y: names.y, width: 4, height: names.height }, palette);
        }
      });
    }
    for (const { row, y, height: rowHeight, band } of layout.rowHeaders()) {
      const isSelected = ranges.some(([top, , bottom]) => row >= top && row <= bottom);
      const isWhole = ranges.some(
        ([top, left, bottom, right]) =>
          row >= top && row <= bottom && isAllOf(left, right, sheet.columns.count),
      );
      this.#clipped(band, () => {
        this.#header({ x: names.x, y, width: names.width, height: rowHeight }, String(row + 1), {
          ...{ isSelected, isWhole, palette, pixel },
        });
        for (const { isBefore } of hiddenBeside(sheet.rows, row)) {
          const edge = isBefore ? y : y + rowHeight;
          this.#hiddenMark({ x: names.x, y: edge - 2, width: names.width, height: 4 }, palette);
        }
      });
    }
    context.fillStyle = palette.header;
    context.fillRect(start, 0, headerWidth, headerHeight);
    context.fillStyle = palette.headerEdge;
    context.fillRect(0, headerHeight - pixel, width, pixel);
    if (outlineHeight > 0) context.fillRect(0, outlineHeight - pixel, width, pixel);
    if (outlineWidth > 0)
      context.fillRect(sheet.isRightToLeft ? width - outlineWidth : outlineWidth - pixel, 0, pixel, height);
    context.fillRect(sheet.isRightToLeft ? start : headerWidth - pixel, 0, pixel, height);
  }

  #header(
    { x, y, width, height }: Rect,
    label: string,
    look: { isSelected: boolean; isWhole: boolean; palette: Palette; pixel: number },
  ): void {
    const { isSelected, isWhole, palette, pixel } = look;
    const context = this.#context;
    if (isSelected) {
      context.fillStyle = isWhole ? palette.accent : palette.headerSelected;
      context.fillRect(x, y, width, height);
    }
    context.fillStyle = palette.headerEdge;
    context.fillRect(x + width - pixel, y, pixel, height);
    context.fillRect(x, y + height - pixel, width, pixel);
    const color = isSelected ? mixed(palette.text, palette.headerText, 0.2) : palette.headerText;
    context.fillStyle = isWhole ? palette.onAccent : color;
    if (height >= 8 && width >= 6) context.fillText(label, x + width / 2, y + height / 2 + 0.5);
  }

  /** Two lines where rows or columns are hidden. */
  #hiddenMark({ x, y, width, height }: Rect, { header, headerText }: Palette): void {
    const context = this.#context;
    context.fillStyle = header;
    context.fillRect(x, y, width, height);
    context.fillStyle = headerText;
    const [across, down] = width < height ? [1, height] : [width, 1];
    context.fillRect(x, y, across, down);
    context.fillRect(x + width - across, y + height - down, across, down);
  }

  #frozenEdges({ frozenEdges, width, height }: GridLayout, palette: Palette, pixel: number): void {
    const context = this.#context;
    context.fillStyle = palette.headerText;
    if (frozenEdges.x !== null) context.fillRect(frozenEdges.x - pixel, 0, pixel, height);
    if (frozenEdges.y !== null) context.fillRect(0, frozenEdges.y - pixel, width, pixel);
  }

  #sizing(
    { width, height }: GridLayout,
    { axis, at }: NonNullable<Overlay['sizing']>,
    { accent }: Palette,
  ): void {
    this.#context.fillStyle = accent;
    if (axis === 'column') this.#context.fillRect(at - 1, 0, 2, height);
    else this.#context.fillRect(0, at - 1, width, 2);
  }

  /** Colours all of a rectangle but a hole in it. */
  #washAround(rect: Rect, hole: Rect, color: string): void {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(rect.x, rect.y, rect.width, rect.height);
    context.rect(hole.x, hole.y, hole.width, hole.height);
    context.clip('evenodd');
    this.#wash(rect, color, 0.14);
    context.restore();
  }

  #wash({ x, y, width, height }: Rect, color: string, opacity: number): void {
    const context = this.#context;
    context.globalAlpha = opacity;
    context.fillStyle = color;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
  }

  #frame(
    { x, y, width, height }: Rect,
    color: string,
    lineWidth: number,
    dash: readonly number[] = [],
  ): void {
    const context = this.#context;
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.setLineDash([...dash]);
    const half = lineWidth / 2;
    // The line lies on the lines between cells, one pixel before the rectangle.
    context.strokeRect(
      x - 1 + half - (lineWidth === 2 ? 0.5 : 0),
      y - 1 + half - (lineWidth === 2 ? 0.5 : 0),
      width,
      height,
    );
    context.setLineDash([]);
  }

  #clipped({ x, y, width, height }: Rect, draw: () => void): void {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    draw();
    context.restore();
  }
}

const isAllOf = (first: number, last: number, count: number): boolean => first === 0 && last === count - 1;

/** The active cell, with those that are merged with it. */
export function activeRange({ sheet }: GridLayout, { active }: Selection): Area {
  return sheet.mergeAt(active.row, active.column) ?? rangeOf(active);
}

/** The square by which the selection is filled into cells beside it. */
export function fillHandleAt(layout: GridLayout, pane: Pane, range: Area): Rect {
  const { x, y, width, height } = layout.rectIn(pane, range);
  const end = layout.sheet.isRightToLeft ? x : x + width;
  const half = Math.ceil(handlePx / 2);
  return { x: end - half - 1, y: y + height - half - 1, width: handlePx, height: handlePx };
}

/** The middle of the circle by which a finger makes the selection larger or smaller. */
export function touchHandleAt(layout: GridLayout, pane: Pane, range: Area): { x: number; y: number } {
  const { x, y, width, height } = layout.rectIn(pane, range);
  return { x: layout.sheet.isRightToLeft ? x : x + width, y: y + height };
}
