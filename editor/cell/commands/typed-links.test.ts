import { describe, expect, it } from 'vitest';
import { typedAddress } from './typed-links.ts';

describe('[XS177] what is typed', () => {
  it('is an address of a page or of a person', () => {
    expect(typedAddress('https://example.com')).toBe('https://example.com');
    expect(typedAddress('HTTP://example.com/a?b=c#d')).toBe('HTTP://example.com/a?b=c#d');
    expect(typedAddress('www.example.com/a')).toBe('https://www.example.com/a');
    expect(typedAddress('ann.lee+x@mail.example.com')).toBe('mailto:ann.lee+x@mail.example.com');
    expect(typedAddress('mailto:ann@example.com')).toBe('mailto:ann@example.com');
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'see https://example.com',
    'https://',
    'www.',
    'www.example',
    'www.example.',
    'ann@example',
    '@ann',
    'a@b.',
    '12:30',
    '3@4.5 kg',
    "'www.example.com",
    '=A1',
    '',
  ])('is none: %s', (text) => {
    expect(typedAddress(text)).toBe(null);
  });
});
