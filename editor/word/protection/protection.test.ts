import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../../model/log/change-author.ts';
import { actsUnder, protections } from '../../../model/word/rights/document-rights.ts';
import { readFrameConfig } from '../../frame/frame-config.ts';
import { type Role, roleOf } from '../../frame/role.ts';
import { types, underProtection } from './document-protection.ts';
import { canCheck, isPassword } from './password.ts';

const permissions: Record<string, boolean>[] = [
  {},
  { edit: false, review: true },
  { edit: false, review: true, comment: true },
  { edit: false, review: false, comment: true },
  { edit: false, review: false, comment: false, fillForms: true },
  { edit: false, review: false, comment: false, fillForms: false },
  { comment: false },
];
const roleWith = (given: Record<string, boolean>): Role =>
  roleOf(readFrameConfig({}, { permissions: given }));

describe('the protection of a document on its page', () => {
  it.each(protections)('[FD53] offers under %s nothing that no replica would take', (protection) => {
    for (const given of permissions) {
      const role = underProtection(roleWith(given), protection);
      const may = actsUnder(protection, limitsOf(given, 'edit'))!;
      if (role.canEdit) expect([role.role, may]).toEqual(['review', expect.arrayContaining(['review'])]);
      if (role.canComment) expect(may).toContain('comment');
      if (role.role === 'fill') expect(may).toContain('fill');
      expect(role.canReview).toBe(false);
    }
  });

  it('[FD53] offers who may do everything what the protection leaves, and without one everything', () => {
    const role = roleWith({});
    const left = protections.map((protection) => {
      const { role: name, canEdit, canComment, canFillForms } = underProtection(role, protection);
      return [protection, name, canEdit, canComment, canFillForms];
    });
    expect(left).toEqual([
      ['readOnly', 'view', false, false, false],
      ['comments', 'comment', false, true, false],
      ['trackedChanges', 'review', true, true, false],
      ['forms', 'fill', false, false, true],
    ]);
    expect(protections.map((one) => types(underProtection(role, one)))).toEqual([false, false, true, true]);
    expect(underProtection(role, null)).toBe(role);
  });
});

describe('the password of a protection', () => {
  const salt = Buffer.from('sixteen bytes of');
  /** The standard has this for "Example" (17.15.1.29). */
  const key = Buffer.from('7EEDCE64', 'utf16le');
  const hashOf = (algorithm: string, spinCount: number): string => {
    let hash = createHash(algorithm).update(salt).update(key).digest();
    for (let turn = 0; turn < spinCount; turn++) {
      const number = Buffer.alloc(4);
      number.writeUInt32LE(turn);
      hash = createHash(algorithm).update(hash).update(number).digest();
    }
    return hash.toString('base64');
  };

  it.each([
    ['SHA-1', 'sha1'],
    ['SHA-512', 'sha512'],
  ])('[FD54] is known by its hash of %s', async (algorithm, name) => {
    const password = { algorithm, hash: hashOf(name, 20), salt: salt.toString('base64'), spinCount: 20 };
    expect(canCheck(password)).toBe(true);
    expect(await isPassword('Example', password)).toBe(true);
    for (const wrong of ['example', 'Exampl', '', 'Example and more', '\u{1f511}']) {
      expect(await isPassword(wrong, password)).toBe(false);
    }
  });

  it('[FD54] cannot be checked where the algorithm is not known', async () => {
    const password = { algorithm: null, hash: 'x', salt: '', spinCount: 0 };
    expect(canCheck(password)).toBe(false);
    expect(await isPassword('Example', password)).toBe(false);
    const damaged = { algorithm: 'SHA-1', hash: hashOf('sha1', 0), salt: '*', spinCount: 0 };
    expect(await isPassword('Example', damaged)).toBe(false);
  });
});
