import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealOptions, unsealOptions } from '../../converter/jobs/opening-options.ts';
import { Sealing } from './sealing.ts';

const sealing = new Sealing({ link: 'a secret of links that is long enough for everybody' });
const other = new Sealing({ link: 'another secret of links that is long enough, too' });

describe('what is sealed', () => {
  it('[CV14] can be read with the same secret, for the same purpose and unchanged, and in no other way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
        const sealed = sealing.seal(text, 'one');
        expect(sealing.open(sealed, 'one')).toBe(text.toWellFormed());
        expect(sealing.open(sealed, 'two')).toBeNull();
        expect(other.open(sealed, 'one')).toBeNull();
        const bytes = Buffer.from(sealed, 'base64url');
        bytes[at % bytes.length]! ^= 1;
        expect(sealing.open(bytes.toString('base64url'), 'one')).toBeNull();
        expect(sealing.open(sealed.slice(0, at % sealed.length), 'one')).toBeNull();
      }),
    );
  });

  it('[CV14] is never the same twice and shows nothing; names are the same for the same secret only', () => {
    const sealed = sealing.seal('hunter2', 'one');
    expect(sealing.seal('hunter2', 'one')).not.toBe(sealed);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('hunter2');
    expect(sealing.nameOf('hunter2')).toBe(sealing.nameOf('hunter2'));
    expect(sealing.nameOf('hunter2')).not.toBe(other.nameOf('hunter2'));
  });

  it('[CV14] opening options are nothing where none are given, else one name and the options again', () => {
    expect(sealOptions(sealing, {})).toEqual({ variant: '', sealed: null });
    expect(unsealOptions(sealing, null)).toEqual({});
    const options = { password: 'hunter2' };
    const { variant, sealed } = sealOptions(sealing, options);
    expect(variant).toBe(sealOptions(sealing, options).variant);
    expect(variant).not.toBe(sealOptions(sealing, { password: 'hunter3' }).variant);
    expect(unsealOptions(sealing, sealed)).toEqual(options);
    expect(unsealOptions(other, sealed)).toBeNull();
  });
});
