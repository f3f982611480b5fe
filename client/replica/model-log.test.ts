import { expect, it } from 'vitest';
import type { ChangeAuthor } from '../../model/log/change-author.ts';
import type { KindModel } from '../../model/log/kind-model.ts';
import { ModelLog } from './model-log.ts';

interface Sum {
  readonly of: number;
}

/** What the rules of a log were asked, and what was read of changes. */
class Noted {
  readonly seen: number[] = [];

  fork(): Noted {
    return new Noted();
  }
}

function trialLog() {
  const read: unknown[] = [];
  const model: Pick<KindModel<Sum, number, null, Noted>, 'apply' | 'admit'> = {
    apply(doc, json) {
      read.push(json);
      return typeof json === 'number' ? { doc: { of: doc.of + json }, step: json } : 'unknown-step';
    },
    admit(rules, { step, author }) {
      rules.seen.push(step);
      return author?.may === undefined;
    },
  };
  const log = new ModelLog(model as KindModel<Sum, number, null, Noted>, { of: 0 }, new Noted(), 0);
  return { log, read };
}

const change = (step: unknown, number = 1) => JSON.stringify({ c: 'me', n: number, s: step });
const entry = (step: unknown, author: ChangeAuthor | null = { name: 'Ann' }) => ({
  change: change(step),
  author: author && { ...author },
});

it('[RP2] what was tried comes into the log as it was tried: it is read once, and the rules of the log note it', () => {
  const { log, read } = trialLog();
  const refuse = log.trial();
  expect([refuse(entry(5)), refuse(entry('x')), refuse(entry(7))]).toEqual([null, 'unknown-step', null]);
  expect([log.document.of, log.rules.seen]).toEqual([0, []]);
  expect(log.append(entry(5))).toEqual({ operation: 5, name: { clientId: 'me', number: 1 }, skipped: null });
  log.append(entry(7));
  expect([log.document.of, read, log.rules.seen]).toEqual([12, [5, 'x', 7], [5, 7]]);
});

it('[RP2] what was tried counts no more when something else has come, or its author may less by now', () => {
  const { log, read } = trialLog();
  const refuse = log.trial();
  for (const step of [5, 7]) refuse(entry(step));
  expect(log.append(entry(3)).operation).toBe(3);
  log.append(entry(5));
  expect([log.document.of, read]).toEqual([8, [5, 7, 3, 5]]);
  log.trial()(entry(1));
  expect(log.append(entry(1, { name: 'Ann', may: [] }))).toMatchObject({
    operation: 0,
    skipped: 'not-allowed',
  });
  expect(log.document.of).toBe(8);
});
