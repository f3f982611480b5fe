import { expect, test } from 'vitest';
import { AddressRefusedError } from './address-rules.ts';
import { guardedLookup, type Resolve } from './guarded-agent.ts';

const rules = { allowPrivate: false, allowMetadata: false };
const resolving =
  (...addresses: string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const look = (resolve: Resolve, all: boolean): Promise<unknown> =>
  new Promise((done, fail) => {
    guardedLookup(rules, resolve)('name.test', { all }, (err, address) => (err ? fail(err) : done(address)));
  });

test('[OA5] of a name with several addresses only the allowed ones are connected to', async () => {
  const resolve = resolving('127.0.0.1', '8.8.8.8', '::1', '2606:4700::1111');
  expect(await look(resolve, true)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  expect(await look(resolve, false)).toBe('8.8.8.8');
});

test('[OA5] a name with only refused addresses is refused', async () => {
  await expect(look(resolving('10.0.0.1', '::ffff:127.0.0.1'), true)).rejects.toThrow(AddressRefusedError);
  await expect(look(resolving('192.168.0.1'), false)).rejects.toThrow(AddressRefusedError);
});

test('[OA5] an error of the resolver is passed on', async () => {
  const failing: Resolve = (_name, _options, callback) => callback(new Error('no such name'), []);
  await expect(look(failing, true)).rejects.toThrow('no such name');
});
