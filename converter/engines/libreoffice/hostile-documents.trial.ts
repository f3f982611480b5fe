import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileDocument, hostileDocuments } from '../../../test/support/hostile-documents.ts';
import { needsOffice, realOffice, startOffice } from '../../../test/support/office.ts';
import { holdsFiles, unconfined } from '../../confinement/confinement.ts';

import { ConversionError } from '../../errors.ts';
import type { ConversionEngine } from '../conversion-engine.ts';
import { libreofficeEngine } from './libreoffice-engine.ts';
import type { OfficePool } from './office-pool.ts';

const secret = 'SECRETOFTHISMACHINE';
/** The size of a picture that no document here has itself, dots. */
const [width, height] = [37, 41];

let directory: string;
let server: Server;
let requests: string[];
let documents: HostileDocument[];

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-hostile-'));
  const textFile = path.join(directory, 'secret.txt');
  const pictureFile = path.join(directory, 'secret.png');
  await writeFile(textFile, secret);
  await writeFile(pictureFile, picture());
  server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.end(secret);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const all = hostileDocuments({ origin: `http://127.0.0.1:${port}`, textFile, pictureFile });
  documents = all.filter(({ name }) => !name.startsWith('unc'));
});
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true, force: true });
});

const isHeld = realOffice !== null && holdsFiles(realOffice.confinement);

describe.skipIf(!realOffice)(`documents that name addresses and files, ${needsOffice}`, () => {
  it.skipIf(!isHeld)(
    '[CN8] get none of them where LibreOffice is confined',
    { timeout: 240_000 },
    async () => {
      expect(await caughtBy(await startOffice())).toEqual([]);
    },
  );

  it('[CN9] ask for no address by its settings alone, and read hardly any file', {
    timeout: 240_000,
  }, async () => {
    const caught = await caughtBy(
      await startOffice({ installation: { ...realOffice!, confinement: unconfined } }),
    );
    // Of these LibreOffice loads pictures of this machine whatever its settings are.
    const known = ['file-odp: picture', 'file-rtf: picture'];
    expect(caught.filter((what) => !known.includes(what))).toEqual([]);
  });
});

/** What documents got at, a line for each. */
async function caughtBy(pool: OfficePool): Promise<string[]> {
  await using _closed = { [Symbol.asyncDispose]: () => pool.close() };
  requests = [];
  const engine = libreofficeEngine(pool, { version: realOffice!.version });
  const caught: string[] = [];
  for (const document of documents) {
    const written = engine.ability.pairs.get(document.fileType);
    if (!written) continue;
    const pdf = await resultOf(engine, document, 'pdf');
    if (new RegExp(`/Width ${width}\\s*/Height ${height}\\b`).test(pdf))
      caught.push(`${document.name}: picture`);
    // What an address gives is caught where it is asked for.
    if (!document.name.startsWith('file')) continue;
    const plain = ['xlsx', 'fods', 'csv', 'webtable', 'xml'].includes(document.fileType) ? 'csv' : 'txt';
    if (written.has(plain) && (await resultOf(engine, document, plain)).includes(secret)) {
      caught.push(`${document.name}: text`);
    }
  }
  return [...caught, ...requests];
}

/** Nothing where the file is refused, which is as good. */
async function resultOf(
  engine: ConversionEngine,
  { bytes, fileType }: HostileDocument,
  toType: string,
): Promise<string> {
  try {
    const options = fileType === 'csv' ? { codePage: 65_001, delimiter: 4 } : {};
    const result = await engine.convert(bytes, { fromType: fileType, toType, options }, []);
    return Buffer.from(result).toString('latin1');
  } catch (error) {
    if (error instanceof ConversionError) return '';
    throw error;
  }
}

/** A PNG file of one colour. */
function picture(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(typed));
    return Buffer.concat([size, typed, sum]);
  };
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0]);
  const rows = Buffer.alloc(height * (1 + 3 * width));
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
