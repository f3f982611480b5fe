import type { Request } from 'express';
import { type Person, personHeader } from '../api.ts';
import { personOf } from './people.ts';
import { Refusal } from './refusal.ts';

/** The account a change is made as. @throws Refusal unless it may edit */
export function editorOf(request: Request): Person {
  const person = personOf(request.get(personHeader));
  if (person?.role !== 'edit') throw new Refusal('not-allowed', 'This account may not change anything here.');
  return person;
}
