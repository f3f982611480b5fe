import { expect, test } from 'vitest';
import { Deadline } from './limits.ts';

test.each(['TimeoutError', 'AbortError'])(
  '[OA15] work in other work ends for the reason of that: %s',
  (name) => {
    const ended = new AbortController();
    const under = new Deadline(60_000, ended.signal);
    ended.abort(new DOMException('It has ended', name));
    const after = new Deadline(60_000, ended.signal);
    expect([under.signal.reason.name, after.signal.reason.name]).toEqual([name, name]);
  },
);
