import { expect, it } from 'vitest';
import { FieldNotes } from './field-notes.ts';
import { LaterNotes } from './later-notes.ts';

it('[HB25] what is to be told before the code for it is there is told in its order, and nothing where it never comes', async () => {
  const told: string[] = [];
  let arrive = (_notes: FieldNotes): void => undefined;
  const notes = new LaterNotes('', () => new Promise((resolve) => (arrive = resolve)));
  notes.add((one) => one.once('a', 'first'));
  notes.add((one) => one.once('b', 'second'));
  expect(told).toEqual([]);
  arrive(new FieldNotes('', (note) => told.push(note)));
  await new Promise(setImmediate);
  notes.add((one) => one.once('a', 'again'));
  await new Promise(setImmediate);
  expect(told).toEqual(['DocsAPI.DocEditor: first', 'DocsAPI.DocEditor: second']);
  new LaterNotes('', () => Promise.reject(new Error('offline'))).add(() => told.push('never'));
  await new Promise(setImmediate);
  expect(told).toHaveLength(2);
});
