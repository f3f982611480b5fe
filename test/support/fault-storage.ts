import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { fetchResult, textsOf } from './fault-checks.ts';
import { ownParagraph, writerNames } from './fault-writer.ts';
import { type Answer, accepted, type ReceivedCallback, type TestIntegrator } from './integrator.ts';

const refusals: readonly Answer[] = [
  { status: 500, body: '' },
  { status: 204, body: '' },
  { status: 200, body: '{"error":1}' },
  { status: 200, body: '<html></html>' },
  'cut',
];

/**
 * A storage that keeps each file it is handed, and fails as often as it is told to: it refuses before it has looked at
 * the file, or keeps it and its answer gets lost. What each writer has typed only grows, so the files tell by themselves
 * whether an older one came after a newer one.
 */
export class FaultStorage {
  /** How probable a failure is, 0 to 1. */
  failing = 0;
  readonly #random: () => number;
  #texts: string[] = [];
  readonly #complaints: string[] = [];
  #refused = 0;
  #kept = 0;

  constructor(integrator: TestIntegrator, key: string, random: () => number) {
    this.#random = random;
    integrator.answer(key, (callback) => this.#answer(callback));
  }

  /** How many files were refused, or their receipts lost. */
  get refused(): number {
    return this.#refused;
  }

  /** What of a file was older than what was kept before. */
  get complaints(): readonly string[] {
    return this.#complaints;
  }

  /** How many files were kept. */
  get kept(): number {
    return this.#kept;
  }

  /** The texts of the file that is in the storage. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  async #answer(callback: ReceivedCallback): Promise<Answer> {
    if (callback.status !== 2 && callback.status !== 6) return accepted;
    const fails = this.#random() < this.failing;
    if (fails) this.#refused += 1;
    if (fails && this.#random() < 0.6) return refusals[Math.floor(this.#random() * refusals.length)]!;
    this.#keep(textsOf(openDocx(await fetchResult(callback)).doc));
    return fails ? 'cut' : accepted;
  }

  #keep(texts: string[]): void {
    for (const name of writerNames) {
      const prefix = ownParagraph(name);
      const typed = (all: readonly string[]) => all.find((text) => text.startsWith(prefix)) ?? prefix;
      if (!typed(texts).startsWith(typed(this.#texts)))
        this.#complaints.push(`${typed(texts)} after ${typed(this.#texts)}`);
    }
    this.#texts = texts;
    this.#kept += 1;
  }
}
