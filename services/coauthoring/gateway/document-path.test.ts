import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDocumentKey, isEngineIoPath, isPlainPath, namesDocument } from './document-path.ts';

const key = fc.stringMatching(/^[0-9A-Za-z\-._=]{1,240}$/).filter((one) => one !== '.' && one !== '..');
const anyEncoded = (text: string) =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const written = [(text: string) => text, encodeURIComponent, anyEncoded];

test('[GW23] every key that a document may have works in the addresses of connections, however it is written', () => {
  fc.assert(
    fc.property(key, fc.constantFrom(...written), fc.constantFrom('', '/9.3.0-abc'), (one, write, prefix) => {
      expect(isDocumentKey(one)).toBe(true);
      const query = '?EIO=4&transport=websocket';
      expect(isEngineIoPath(`${prefix}/doc/${write(one)}/c/${query}`)).toBe(true);
      expect(namesDocument(`${prefix}/doc/${write(one)}/c/${query}`)).toBe(true);
      expect(isPlainPath(`${prefix}/ws/${write(one)}${query}`)).toBe(true);
    }),
  );
});

test.each(['a%2fb', 'a%20b', 'a%', 'a%zz', 'a%00', '%2e%2e', '..', 'a\u00e9', 'x'.repeat(241)])(
  '[GW23] %s is no key, however it is written',
  (one) => {
    expect(namesDocument(`/doc/${one}/c/`)).toBe(false);
    expect(isPlainPath(`/ws/${one}`)).toBe(false);
  },
);
