/** In pixels of CSS, from the upper left of the grid. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
