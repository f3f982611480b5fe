import type { Request } from 'express';
import { type Person, personHeader, type Role } from '../api.ts';
import { Refusal } from './refusal.ts';

/** The made-up accounts: everybody may be anyone of them, as fits a demonstration. */
export const people: readonly Person[] = [
  person('ann', 'Ann Lindqvist', 'edit', '#6b3fa0'),
  person('bob', 'Bob Okafor', 'edit', '#0b6b50'),
  person('carla', 'Carla Méndez', 'review', '#a1430f'),
  person('deniz', 'Deniz Aydın', 'comment', '#1d5c9c'),
  person('yara', 'Yara Haddad', 'view', '#8c2f5f'),
];

function person(id: string, name: string, role: Role, colour: string): Person {
  const initials = name
    .split(' ')
    .map((part) => part[0])
    .join('');
  return { id, name, email: `${id}@example.test`, role, colour, initials };
}

/** The account with an id, or null. */
export function personOf(id: unknown): Person | null {
  return people.find((one) => one.id === id) ?? null;
}

/** `document.permissions` of a role. The document server compares them with what the editor says, so all are given. */
export function permissionsOf(role: Role): Record<string, boolean> {
  return {
    edit: role === 'edit',
    review: role === 'edit' || role === 'review',
    comment: role !== 'view',
    fillForms: role === 'edit',
    chat: true,
    copy: true,
    download: true,
    print: true,
  };
}

/** The picture of an account: its initials on its colour. */
export function avatarSvg({ colour, initials }: Person): string {
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">' +
    `<rect width="64" height="64" rx="32" fill="${colour}"/>` +
    '<text x="32" y="33" font-family="system-ui, sans-serif" font-size="26" font-weight="600" fill="#fff" ' +
    `text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`
  );
}

/** The account a change is made as. @throws Refusal unless it may edit */
export function editorOf(request: Request): Person {
  const person = personOf(request.get(personHeader));
  if (person?.role !== 'edit') throw new Refusal('not-allowed', 'This account may not change anything here.');
  return person;
}
