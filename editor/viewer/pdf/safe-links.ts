import type { PDFLinkService } from 'pdfjs-dist/web/pdf_viewer.mjs';
import type { PdfLibrary } from './pdf-library.ts';

/** Schemes of addresses that somebody may be led to from a document. */
const followed: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

export const isFollowed = (address: string): boolean =>
  URL.canParse(address) && followed.has(new URL(address).protocol);

/** As much of a link service as decides about links. */
interface LinkMaker {
  addLinkAttributes(link: HTMLAnchorElement, url: string, newWindow?: boolean): void;
}

/** Links to the web and to mail addresses open beside this page, which they learn nothing of; all others lead nowhere. */
export function onlySafeLinks<Service extends LinkMaker>(service: Service): Service {
  const add = service.addLinkAttributes.bind(service);
  service.addLinkAttributes = (link, url, _newWindow) => {
    if (isFollowed(url)) add(link, url, true);
    else link.removeAttribute('href');
  };
  return service;
}

/** What follows links within a document, and out of it. */
export function linksOf(
  { viewer: { LinkTarget, PDFLinkService: Links } }: PdfLibrary,
  eventBus: PDFLinkService['eventBus'],
): PDFLinkService {
  return onlySafeLinks(
    new Links({
      eventBus,
      externalLinkTarget: LinkTarget.BLANK,
      externalLinkRel: 'noopener noreferrer nofollow',
    }),
  );
}
