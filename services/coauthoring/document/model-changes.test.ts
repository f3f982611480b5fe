import { expect, test } from 'vitest';
import { encodeEnvelope } from '../../../model/log/change.ts';
import { mayBeChange } from './model-changes.ts';

const envelope = { clientId: 'a"\\b', number: 7, step: { stepType: 'replace', from: 1 } };
const large = 'x'.repeat(100_000);

test.each([
  ['a change of an editor', encodeEnvelope(envelope)],
  ['one without a number', encodeEnvelope({ ...envelope, number: undefined })],
  ['one whose step is a list', encodeEnvelope({ ...envelope, step: [1] })],
  ['one of a kind whose steps are texts', encodeEnvelope({ ...envelope, step: 'x' })],
  ['one in another order', JSON.stringify({ s: {}, c: 'a' })],
  ['one with more than we know', JSON.stringify({ c: 'a', n: 1, later: true, s: {} })],
  ['a large one', encodeEnvelope({ ...envelope, step: { text: large } })],
  ['a large one in another order', JSON.stringify({ s: { text: large }, c: 'a' })],
  [
    'one that is larger than the model takes',
    encodeEnvelope({ ...envelope, step: { text: 'x'.repeat(8_000_001) } }),
  ],
  [
    'one that is nested too deep',
    encodeEnvelope({ ...envelope, step: JSON.parse('['.repeat(200) + ']'.repeat(200)) }),
  ],
])('[SV38] %s may be a change of a model of ours', (_what, text) => {
  expect(mayBeChange(text)).toBe(true);
});

test.each([
  ['junk', 'x'],
  ['nothing', ''],
  ['a part of a change', encodeEnvelope(envelope).slice(0, -1)],
  ['large junk', large],
  ['a change of nobody', JSON.stringify({ n: 1, s: {} })],
  ['a change without a step', JSON.stringify({ c: 'x', n: 1, junk: large })],
  ['a list', '[{"c":"x","s":{}}]'],
])('[SV38] %s is none', (_what, text) => {
  expect(mayBeChange(text)).toBe(false);
});
