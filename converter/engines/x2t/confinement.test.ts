import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../../../test/support/docx-fixture.ts';
import { installFakeX2t, realX2t, startX2t } from '../../../test/support/x2t.ts';
import { holdsFiles, strongestConfinement, unconfined } from '../../confinement/confinement.ts';

import { confinedWherePossible, findX2t } from './installation.ts';

const secret = 'a secret that no document may show';

let directory: string;
let secretFile: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-confined-'));
  secretFile = path.join(directory, 'secret.txt');
  await writeFile(secretFile, secret);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const docx = { bytes: buildDocx({ paragraphs: ['Text'] }), fileType: 'docx' };
const confinement = await (async () => {
  const place = await mkdtemp(path.join(os.tmpdir(), 'quire-confinable-'));
  try {
    return (await confinedWherePossible(await installFakeX2t(place))).confinement;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
})();

/** An engine that is confined and does what a shell script says. */
async function confinedEngine(name: string, job: string) {
  const installation = await installFakeX2t(path.join(directory, name), job);
  return startX2t(
    { ...installation, confinement: await strongestConfinement() },
    { dataDir: path.join(directory, `${name}-data`) },
  );
}

async function outputOf(name: string, job: string): Promise<string> {
  const engine = await confinedEngine(name, `(${job}) > out/output.txt 2>&1 || true`);
  return Buffer.from(await engine.convert(docx, 'txt')).toString();
}

describe.skipIf(!holdsFiles(confinement))('a confined x2t', () => {
  it('[XT20] reads no file of this machine but those of its job and what programs need', async () => {
    expect(await outputOf('cat', `cat ${secretFile}`)).not.toContain(secret);
    expect(await outputOf('list', `ls ${directory}`)).not.toContain('secret.txt');
    expect(await outputOf('own', 'ls in')).toBe('params.xml\nsource.docx\n');
  });

  it('[XT20] writes nowhere but in the directory of its job', async () => {
    expect(await outputOf('write', 'touch $0.changed; ls $0.changed; touch /usr/x')).toMatch(
      /Read-only|Permission|cannot/,
    );
  });

  it('[XT20] ends with everything in it when its time is over', async () => {
    const installation = await installFakeX2t(path.join(directory, 'slow'), 'sleep 600 & wait');
    const dataDir = path.join(directory, 'slow-data');
    const slow = await startX2t(
      { ...installation, confinement: await strongestConfinement() },
      { dataDir, timeoutMs: 500 },
    );
    await expect(slow.open(docx)).rejects.toThrow('too long');
  });
});

describe.skipIf(confinement.level !== 'namespaces')('an x2t in namespaces of its own', () => {
  it('[XT20] finds no other file than those', async () => {
    expect(await outputOf('etc', 'ls /etc /home /root /var 2>/dev/null')).toBe('');
    const names = (await outputOf('temporary', `ls ${os.tmpdir()}`)).trim().split('\n');
    for (const name of names) expect(name).toMatch(/^quire-(x2t|confined)-/);
  });

  it('[XT20] sees no other process and no network', async () => {
    expect(await outputOf('processes', 'ls -d /proc/[0-9]* | wc -l')).toMatch(/^\s*[1-6]$/m);
    expect((await outputOf('network', 'cat /proc/net/dev')).match(/^\s*\w+:/gm)?.join()).toMatch(/^\s*lo:$/);
  });
});

describe('x2t on a system on which it cannot be confined', () => {
  it('[XT21] is used only when the operator allows it', async () => {
    const { directory: x2tDir, program } = await installFakeX2t(path.join(directory, 'outside'));
    await writeFile(program, `#!/bin/sh\ncat ${secretFile} >/dev/null && echo "Version: 1.2.3"\n`);
    const settings = { x2tDir, dataDir: directory };
    await expect(findX2t({ ...settings, x2tUnconfined: false, converterUnconfined: false })).rejects.toThrow(
      /CONVERTER_UNCONFINED=true/,
    );
    expect(await findX2t({ ...settings, x2tUnconfined: true, converterUnconfined: false })).toMatchObject({
      confinement: unconfined,
    });
    expect(await findX2t({ ...settings, x2tUnconfined: false, converterUnconfined: true })).toMatchObject({
      confinement: unconfined,
    });
  });
});

describe.skipIf(!realX2t || !holdsFiles(realX2t.confinement))('the real x2t, confined', () => {
  it('[XT20] puts no file of this machine into a document that links to it', async () => {
    const bytes = buildDocx({
      paragraphs: ['Text'],
      body: linkedPicture,
      relationships: [
        {
          id: 'rId99',
          type: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image',
          target: secretFile,
          external: true,
        },
      ],
    });
    const engine = await startX2t(realX2t!, { dataDir: path.join(directory, 'real') });
    const { media } = await engine.open({ bytes, fileType: 'docx' });
    expect(media.map(([, content]) => Buffer.from(content).toString())).not.toContain(secret);
    const outside = await startX2t(
      { ...realX2t!, confinement: unconfined },
      { dataDir: path.join(directory, 'real') },
    );
    const open = await outside.open({ bytes, fileType: 'docx' });
    expect(open.media.map(([, content]) => Buffer.from(content).toString())).toContain(secret);
  });
});

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006';
const linkedPicture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${drawing}/wordprocessingDrawing"><wp:extent cx="9" cy="9"/>
<wp:docPr id="1" name="p"/><a:graphic xmlns:a="${drawing}/main"><a:graphicData uri="${drawing}/picture">
<pic:pic xmlns:pic="${drawing}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>
<pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="rId99"/>
</pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
