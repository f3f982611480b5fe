/** Sets what a canvas draws letters with, and only where that is another than before: setting it costs as much as drawing. */
export class Pen {
  readonly #context: CanvasRenderingContext2D;
  #font = '';
  #color = '';
  #direction = '';

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
    context.textBaseline = 'alphabetic';
    context.textAlign = 'left';
  }

  use(font: string, color: string, direction: 'ltr' | 'rtl'): void {
    const context = this.#context;
    if (font !== this.#font) {
      this.#font = font;
      context.font = font;
    }
    if (color !== this.#color) {
      this.#color = color;
      context.fillStyle = color;
    }
    if (direction !== this.#direction) {
      this.#direction = direction;
      context.direction = direction;
    }
  }

  /** Something else has changed the canvas, or has had it as it was before. */
  forget(): void {
    this.#font = '';
    this.#color = '';
    this.#direction = '';
  }
}
