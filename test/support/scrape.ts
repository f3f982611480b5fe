/** The values of a metrics page. */
export class Scrape {
  readonly #lines: readonly [name: string, labels: string, value: number][];

  private constructor(text: string) {
    this.#lines = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        return [name, labels, Number(value)];
      });
  }

  /** `signal` ends it before it is answered. */
  static async of(address: string, signal?: AbortSignal): Promise<Scrape> {
    const response = await fetch(`${address}/metrics`, { ...(signal && { signal }) });
    if (!response.ok) throw new Error(`There are no metrics: status ${response.status}.`);
    return new Scrape(await response.text());
  }

  get names(): Set<string> {
    return new Set(this.#lines.map(([name]) => name));
  }

  /** The sum of a metric over all labels that hold these; 0 when there is none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.#lines
      .filter(([one, its]) => one === name && wanted.every((label) => its.split(',').includes(label)))
      .reduce((sum, [, , value]) => sum + value, 0);
  }

  /** The sum of a metric over all labels; NaN when there is none. */
  sumOrNaN(name: string): number {
    return this.names.has(name) ? this.sum(name) : Number.NaN;
  }
}
