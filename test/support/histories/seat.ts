import type { TestIntegrator } from '../integrator.ts';
import type { Family } from './history.ts';
import { wordSource } from './word-client.ts';

/** A document that people edit, one key after the other: when a key has been handed over, they go on with the next. */
export class Seat {
  readonly name: string;
  readonly families: readonly Family[];
  readonly editorType: number;
  readonly sourceUrl: string;
  readonly #callbackUrl: (key: string) => string;
  readonly #keys: string[] = [];

  constructor(name: string, families: readonly Family[], editorType: number, integrator: TestIntegrator) {
    this.name = name;
    this.families = families;
    this.editorType = editorType;
    this.sourceUrl = integrator.serve('faults.docx', { bytes: wordSource() });
    this.#callbackUrl = (key) => integrator.callbackUrl(key);
    this.#keys.push(`${name}-1`);
  }

  get isWord(): boolean {
    return this.families.includes('word');
  }

  /** The key to open now. */
  get key(): string {
    return this.#keys.at(-1)!;
  }

  /** Every key so far. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  get callbackUrl(): string {
    return this.#callbackUrl(this.key);
  }

  /** A key has been handed over. */
  over(key: string): void {
    if (key === this.key) this.#keys.push(`${this.name}-${this.#keys.length + 1}`);
  }
}

/** So many documents of each kind: of our word model, and of logs that nobody reads, with locks of texts and of sheets. */
export function makeSeats(count: number, integrator: TestIntegrator): Seat[] {
  return Array.from({ length: count }, (_, number) => [
    new Seat(`word-${number}`, ['word'], 0, integrator),
    new Seat(`text-${number}`, ['other', 'library'], 0, integrator),
    new Seat(`sheet-${number}`, ['other'], 1, integrator),
  ]).flat();
}
