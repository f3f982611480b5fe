/** Tells of edits: of the first at once, of later ones at most every `everyMs`. */
export class EditNotice {
  readonly #tell: () => void;
  readonly #everyMs: number;
  #hasNews = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(tell: () => void, everyMs: number) {
    this.#tell = tell;
    this.#everyMs = everyMs;
  }

  edited(): void {
    this.#hasNews = true;
    if (this.#timer === null) this.#say();
  }

  #say(): void {
    this.#timer = null;
    if (!this.#hasNews) return;
    this.#hasNews = false;
    this.#tell();
    this.#timer = setTimeout(() => this.#say(), this.#everyMs);
  }
}
