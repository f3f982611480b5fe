import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isFollowed, onlySafeLinks } from './safe-links.ts';

/** What a link of a document becomes, given to a link service that believes everything. */
function linkOf(url: string) {
  const link = { href: 'before', target: '', removeAttribute: () => delete (link as { href?: string }).href };
  const believing = {
    addLinkAttributes(to: HTMLAnchorElement, given: string, newWindow?: boolean) {
      to.href = given;
      to.target = newWindow ? '_blank' : '_self';
    },
  };
  onlySafeLinks(believing).addLinkAttributes(link as unknown as HTMLAnchorElement, url);
  return link as { href?: string; target: string };
}

it('[PV8] addresses of the web and of mail are followed, beside the page', () => {
  for (const url of [
    'https://example.com/a?b#c',
    'http://example.com',
    'mailto:ann@example.com',
    'HTTPS://X',
  ]) {
    expect(linkOf(url)).toMatchObject({ href: url, target: '_blank' });
  }
});

it('[PV8] all others lead nowhere', () => {
  const schemes = 'javascript data blob file ftp tel vbscript ms-word intent chrome about view-source'.split(
    ' ',
  );
  fc.assert(
    fc.property(fc.constantFrom(...schemes), fc.string(), (scheme, rest) => {
      expect(isFollowed(`${scheme}:${rest}`)).toBe(false);
      expect(linkOf(`${scheme}:${rest}`).href).toBeUndefined();
    }),
  );
  for (const url of ['', '/relative', '//example.com', ' java\nscript:alert(1)']) {
    expect(linkOf(url).href).toBeUndefined();
  }
});
