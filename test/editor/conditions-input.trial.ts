import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import type { QuireProcess } from '../support/quire-process.ts';
import { EditorWorld } from './editor-world.ts';
import { good, openInVain, type UnopenedDocument } from './unopened-document.ts';

const maxSizeBytes = 50_000;
const big = buildDocx({ paragraphs: ['x'.repeat(2 * maxSizeBytes)], stored: true });

/** The head of a compound file that holds an encrypted package ([MS-OFFCRYPTO], 2.3.4.4). */
function encrypted(): Uint8Array {
  const bytes = new Uint8Array(4_096);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const name = new Uint8Array(
    new Uint16Array([...'EncryptedPackage'].map((one) => one.charCodeAt(0))).buffer,
  );
  bytes.set(name, 1_024);
  // The entry's length field: the name and a zero, bytes ([MS-CFB], 2.6.1).
  bytes[1_024 + 64] = name.length + 2;
  return bytes;
}

const openDocument = zipSync({
  mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
  'content.xml': strToU8('<office:document-content/>'),
});

describe.skipIf(!hasBrowser)('documents that cannot be opened for other reasons', () => {
  let world: EditorWorld<QuireProcess>;
  beforeAll(async () => {
    world = await EditorWorld.openOwn({ MAX_DOWNLOAD_SIZE_BYTES: String(maxSizeBytes) });
  });
  afterAll(() => world?.close());

  it.for<UnopenedDocument>([
    [
      'cut',
      'docx',
      { bytes: good.slice(0, good.length / 2) },
      'The document is damaged or cannot be read.',
      -82,
    ],
    ['encrypted', 'docx', { bytes: encrypted() }, 'The document is encrypted and cannot be opened.', -20],
    ['oversized', 'docx', { bytes: big }, 'The document is too big to be opened.', -84],
    ['missing', 'docx', { status: 404 }, 'The document could not be downloaded from its storage.', -4],
    ['failing', 'docx', { status: 500 }, 'The document could not be downloaded from its storage.', -4],
    ['other', 'odt', { bytes: openDocument }, 'Documents of this kind cannot be opened.', -85],
  ])('[EW17] a document that is %s (%s): a sentence, an event, and a second try', (document) =>
    openInVain(world, document),
  );
});
