import { describe, expect, it } from 'vitest';
import { refusalOf } from './refusal.ts';

describe('somebody who is not given a connection', () => {
  it.each([
    ['503', { status: 503 }, 0],
    ['429 with seconds', { status: 429, retryAfter: '7' }, 7_000],
    ['503 with a date that is over', { status: 503, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['503 with nonsense', { status: 503, retryAfter: 'soon' }, 0],
    [
      'the error of Engine.IO',
      { status: 400, body: '{"code":4,"message":"Forbidden"}', retryAfter: '2' },
      2_000,
    ],
    ['an error of its own in that form', { status: 400, body: '{"code":100,"message":"busy"}' }, 0],
  ])('[LD23] is asked to come again: %s', (_name, answer, retryAfterMs) => {
    expect(refusalOf(answer)).toMatchObject({ code: 'busy', retryable: true, retryAfterMs });
  });

  it('[LD23] may be told a time', () => {
    const { retryAfterMs } = refusalOf({
      status: 503,
      retryAfter: new Date(Date.now() + 90_000).toUTCString(),
    });
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(90_000);
  });

  it.each([
    ['there is nothing', { status: 404 }],
    ['it is no server of HTTP', { status: 0 }],
    ['the server fails', { status: 500, body: '<html>' }],
    ['the request is wrong', { status: 400, body: '{"code":3,"message":"Bad request"}' }],
    [
      'the version is not spoken',
      { status: 400, body: '{"code":5,"message":"Unsupported protocol version"}' },
    ],
  ])('[LD23] is refused for good where %s', (_name, answer) => {
    expect(refusalOf(answer)).toMatchObject({ code: 'refused', retryable: false });
  });
});
