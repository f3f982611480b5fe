import { expect, test } from 'vitest';
import { isTransient, ProtocolError, protocolErrors } from './errors.ts';

test('[ER1] a protocol error carries close code, HTTP status, retry and a safe message from one table', () => {
  const err = new ProtocolError('token_invalid', 'token:invalid signature', {
    cause: new Error('secret detail'),
  });
  expect(err).toMatchObject({ code: 'token_invalid', closeCode: 4006, httpStatus: 403, retryable: false });
  expect(err.message).toBe('token:invalid signature');
  expect(new ProtocolError('server_shutdown')).toMatchObject({ closeCode: 4001, retryable: true });
});

test('[ER2] close codes are unique, and outside the original ones the range says whether to retry', () => {
  const rows = Object.values(protocolErrors);
  expect(new Set(rows.map((row) => row.closeCode)).size).toBe(rows.length);
  for (const row of rows.filter((row) => row.closeCode > 4012)) {
    expect(row.closeCode).toBeGreaterThanOrEqual(4100);
    expect(row.retryable).toBe(row.closeCode < 4200);
  }
});

test('[ER3] an error is transient by its code or that of a cause, never by its text', () => {
  const coded = (code: string, options?: ErrorOptions) => Object.assign(new Error('x', options), { code });
  expect(isTransient(coded('40001'))).toBe(true);
  expect(isTransient(new Error('outer', { cause: coded('ECONNRESET') }))).toBe(true);
  expect(isTransient(new AggregateError([coded('EACCES'), coded('ECONNREFUSED')]))).toBe(true);
  expect(isTransient(coded('23505'))).toBe(false);
  expect(isTransient(new Error('ECONNRESET'))).toBe(false);
  for (const value of [undefined, null, 'ECONNRESET', 40001]) expect(isTransient(value)).toBe(false);
  const loop = new Error('loop');
  loop.cause = loop;
  expect(isTransient(loop)).toBe(false);
});
