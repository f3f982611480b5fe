import type { AskedKind } from './asked-kinds.ts';
import type { RunningStorage } from './real-storages.ts';
import type { StrangePlace, StrangeWorld } from './strange-world.ts';
import {
  framedAnswers,
  stoppingAnswers,
  unusualAnswers,
  type WireAnswer,
  wrongAnswers,
} from './wire-answers.ts';

/** Sizes of bodies, bytes, around those of buffers. */
const sizes = [0, 1, 65_535, 65_536, 144_000, 1_100_000, 50_000_000];
/** Larger ones are met in each framing, with one end of the connection. */
const largeBytes = 10_000_000;
const middleBytes = 60_000;
/** So many bytes are asked for at once, and at least one body. */
const togetherBytes = 10_000_000;

type Meeting = readonly [kind: AskedKind, answer: WireAnswer, sizeBytes: number];

/** How a server meets answers of strangers. Each method resolves to what was wrong, a line for each. */
export class StrangeMeetings {
  readonly #world: StrangeWorld;

  constructor(world: StrangeWorld) {
    this.#world = world;
  }

  /** Right answers with bodies of all sizes, however they are framed and ended. */
  framed(kind: AskedKind): Promise<string[]> {
    const met = sizes.flatMap((size) =>
      framedAnswers
        .filter(({ what }) => size < largeBytes || what.endsWith('closed at once'))
        .map((answer) => [kind, answer, size] as const),
    );
    return this.#meetAll(met, 3);
  }

  unusual(kind: AskedKind): Promise<string[]> {
    return this.#meetAll(
      unusualAnswers.map((answer) => [kind, answer, middleBytes]),
      4,
    );
  }

  wrong(kind: AskedKind): Promise<string[]> {
    return this.#meetAll(
      wrongAnswers.map((answer) => [kind, answer, middleBytes]),
      12,
    );
  }

  /** Answers that stop in the middle, all at once: each waits for its time-out. */
  stopping(kinds: readonly AskedKind[]): Promise<string[]> {
    const met = kinds.flatMap((kind) =>
      stoppingAnswers.map((answer) => [kind, answer, middleBytes] as const),
    );
    return this.#meetAll(met, met.length, { most: 1 });
  }

  /** Files of a real server. */
  files(kind: AskedKind, storage: RunningStorage): Promise<string[]> {
    return this.#meetAll(
      [144_000, 1_100_000].map((size) => [kind, framedAnswers[0]!, size]),
      1,
      { storage },
    );
  }

  async #meetAll(
    met: readonly Meeting[],
    atOnce: number,
    options?: { storage?: RunningStorage; most?: number },
  ): Promise<string[]> {
    const waiting = [...met];
    const problems: string[] = [];
    const next = async (): Promise<void> => {
      for (let one = waiting.shift(); one; one = waiting.shift())
        problems.push(...(await this.#meet(one, options)));
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    return (await this.#world.isAlive()) ? problems : [...problems, 'the server is not well'];
  }

  async #meet(
    [kind, answer, sizeBytes]: Meeting,
    { storage, most = kind.times }: { storage?: RunningStorage; most?: number } = {},
  ): Promise<string[]> {
    const times = Math.min(most, Math.max(1, Math.floor(togetherBytes / sizeBytes)));
    const body = kind.bodyOf(sizeBytes);
    const elsewhere = await storage?.store(body, kind.fetches ?? 'bin');
    const place: StrangePlace = { answer, body, ...(elsewhere !== undefined && { elsewhere }) };
    const seen = await kind
      .ask(this.#world, place, times)
      .catch((error: Error) => [`thrown: ${error.message}`]);
    const strange = new Set(seen.filter((one) => !isAsExpected(kind, answer, sizeBytes, one)));
    const { said, outcome, what } = answer;
    if (said && outcome === 'error' && kind.logs && !(await this.#world.says(said, place)))
      strange.add('no reason in the log');
    return [...strange].map((one) => `${kind.what}: ${what}, ${sizeBytes} bytes: ${one}`);
  }
}

function isAsExpected(kind: AskedKind, answer: WireAnswer, sizeBytes: number, seen: string): boolean {
  const { what, outcome } = answer;
  if (kind.refuses?.test(what)) return kind.seen.error.test(seen);
  if (outcome === 'either' || kind.overlooks?.test(what)) return true;
  if (outcome === 'whole') return seen === (kind.ofWhole?.(sizeBytes) ?? 'whole');
  return kind.seen[outcome].test(seen);
}
