import { expect, it } from 'vitest';
import { valueFault } from './field-fault.ts';
import '../texts.ts';

const form = (one: string, two = ''): FormData => {
  const fields = new FormData();
  fields.set('one', one);
  fields.set('two', two);
  return fields;
};

it('[XS136] a value of a form that begins as a formula, or has to be one, is refused where it cannot be one', () => {
  expect(valueFault(form('=1+'), false, 'en')).toMatch(/“\+”/);
  expect(valueFault(form('5', '=MAX()'), false, 'en')).toMatch(/“MAX”/);
  expect(valueFault(form('A1>'), true, 'en')).toMatch(/“>”/);
  expect(valueFault(form('=A1>(2'), true, 'en')).toBe(null);
  expect(valueFault(form('1,5', '=1,5'), false, 'de')).toBe(null);
  expect(valueFault(form('Yes, No'), false, 'en')).toBe(null);
});
