import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const office = 'urn:oasis:names:tc:opendocument:xmlns';
const namespaces =
  `xmlns:office="${office}:office:1.0" xmlns:text="${office}:text:1.0" xmlns:table="${office}:table:1.0" ` +
  `xmlns:style="${office}:style:1.0" xmlns:fo="${office}:xsl-fo-compatible:1.0" office:version="1.3"`;

/** An OpenDocument text, its parts stored as they are; `body` is XML, or else each paragraph is one of these texts. */
export function buildOdt({
  paragraphs = [],
  body,
}: {
  paragraphs?: readonly string[];
  body?: string;
}): Uint8Array {
  const written = body ?? paragraphs.map((text) => `<text:p>${text}</text:p>`).join('');
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${namespaces}><office:body><office:text>${written}</office:text></office:body></office:document-content>`;
  const manifest = `<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="${office}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${odtType}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;
  return zipSync(
    {
      mimetype: strToU8(odtType),
      'content.xml': strToU8(content),
      'META-INF/manifest.xml': strToU8(manifest),
    },
    { level: 0 },
  );
}

const odtType = 'application/vnd.oasis.opendocument.text';

/** The part of an OpenDocument text that holds its body. */
export const odtContent = (odt: Uint8Array): string => strFromU8(unzipSync(odt)['content.xml']!);

/** The texts of the paragraphs of an OpenDocument text, headings and those in tables among them. */
export function odtParagraphs(odt: Uint8Array): string[] {
  return [...odtContent(odt).matchAll(/<text:(p|h)\b[^>]*?(?:\/>|>(.*?)<\/text:\1>)/gs)].map(
    ([, , inner = '']) => inner.replace(/<text:s\b[^>]*\/>/g, ' ').replace(/<[^>]*>/g, ''),
  );
}
