import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that answers each line of JSON with one; questions wait for their turn. */
export class LineProcess {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  /** @throws Error when the program has ended */
  ask<Answer>(question: object): Promise<Answer> {
    const turn = this.#last.then(() => this.#ask<Answer>(question));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #ask<Answer>(question: object): Promise<Answer> {
    this.#child.stdin!.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the program has ended');
    return JSON.parse(value) as Answer;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.stdin!.end();
    await once(this.#child, 'exit');
  }
}
