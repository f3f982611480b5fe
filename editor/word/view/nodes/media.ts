/** Where the bytes of pictures are, by their path in the model. */
export interface Media {
  /** Null while it is not known. */
  url(path: string): string | null;
  /** Resolves when the address has been asked for; `url` has it then, or the picture is not there. */
  load(path: string): Promise<void>;
}

/** Asks for all pictures that a change brings at once. */
export class MediaLoader implements Media {
  readonly url: (path: string) => string | null;
  readonly #ask: (paths: readonly string[]) => Promise<void>;
  #next: { paths: Set<string>; done: Promise<void> } | null = null;

  constructor(url: (path: string) => string | null, ask: (paths: readonly string[]) => Promise<void>) {
    this.url = url;
    this.#ask = ask;
  }

  load(path: string): Promise<void> {
    if (!this.#next) {
      const paths = new Set<string>();
      const done = Promise.resolve().then(() => {
        this.#next = null;
        return this.#ask([...paths]);
      });
      this.#next = { paths, done };
    }
    this.#next.paths.add(path);
    return this.#next.done;
  }
}
