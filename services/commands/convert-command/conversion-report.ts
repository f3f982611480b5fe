import path from 'node:path';
import type { FileOutcome } from './file-conversion.ts';

export interface ReportOptions {
  /** Prints the outcomes as one JSON document on the standard output, and nothing else. */
  json: boolean;
  /** How many files there are. */
  count: number;
  output: Pick<NodeJS.WriteStream, 'write'>;
  errors: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;
}

const clearLine = '\r\u001b[K';

/**
 * What the command prints: errors on the standard error, and on a terminal also the files that were made and the progress of
 * the others.
 */
export class ConversionReport {
  readonly #options: ReportOptions;
  readonly #outcomes: FileOutcome[] = [];
  readonly #shares = new Map<string, number>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  progress(source: string, share: number): void {
    this.#shares.set(source, Math.max(this.#shares.get(source) ?? 0, Math.min(1, share)));
    this.#draw();
  }

  ended(outcome: FileOutcome): void {
    this.#outcomes.push(outcome);
    this.#shares.delete(outcome.source);
    if (!this.#options.json) this.#print(outcome);
    this.#draw();
  }

  /** Called after the last file, or when the command is interrupted. */
  close(): void {
    const { json, output, errors } = this.#options;
    if (this.#isLive) errors.write(clearLine);
    if (json) output.write(`${JSON.stringify({ files: this.#outcomes }, null, 2)}\n`);
  }

  get #isLive(): boolean {
    return this.#options.errors.isTTY && !this.#options.json;
  }

  #print(outcome: FileOutcome): void {
    const { errors } = this.#options;
    if (!outcome.ok) {
      const code = outcome.code === null ? '' : ` (${outcome.code})`;
      errors.write(`${this.#isLive ? clearLine : ''}${outcome.source}: ${outcome.message}${code}\n`);
    } else if (this.#isLive) {
      const seconds = (outcome.elapsedMs / 1_000).toFixed(1);
      errors.write(`${clearLine}${outcome.source} → ${outcome.result}  ${seconds} s\n`);
    }
  }

  /** Prints one line: how many files are done, and the progress of the others where it is known. */
  #draw(): void {
    if (!this.#isLive) return;
    const { count, errors } = this.#options;
    const parts = [...this.#shares].map(([source, share]) =>
      share > 0 ? `${path.basename(source)} ${Math.floor(100 * share)} %` : path.basename(source),
    );
    const line = `${this.#outcomes.length}/${count}  ${parts.join(', ')}`;
    errors.write(`${clearLine}${line.slice(0, (errors.columns ?? 80) - 1)}`);
  }
}
