import { expect, it } from 'vitest';
import type { Member } from './document/member.ts';
import { payerOf } from './payer.ts';

/** Who pays, of somebody who may name another document, network, application, or another way of coming in. */
function payer({
  network = '192.0.2.1',
  userId = 'ann',
  tenant = 'a.example',
  vouched = true,
  nameIsFixed = true,
}) {
  const member = { nameIsFixed, author: { userId } } as unknown as Member;
  return payerOf({ handshake: { baseUrl: '', routing: null, network } }, { vouched, member }, tenant);
}

it('[GW36] a person whom a token names pays in every document and from every network, at one application', () => {
  expect(payer({ network: '198.51.100.7' })).toBe(payer({}));
  expect(payer({ userId: 'bob' })).not.toBe(payer({}));
  expect(payer({ tenant: 'b.example' })).not.toBe(payer({}));
  expect(payer({ tenant: '', userId: 'bob' })).not.toBe(payer({ tenant: '' }));
});

it.each([{ vouched: false }, { nameIsFixed: false }])(
  '[GW36] who may call themselves as they like, as with %o, pay with their network, whatever they say',
  (how) => {
    expect(payer({ ...how, userId: 'bob' })).toBe(payer(how));
    expect(payer({ ...how, tenant: 'b.example' })).toBe(payer(how));
    expect(payer({ ...how, network: '198.51.100.7' })).not.toBe(payer(how));
    expect(payer(how)).not.toBe(payer({}));
  },
);
