import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { SignJWT } from 'jose';
import { chromium } from 'playwright-core';

const chromiumFile = '/usr/bin/chromium';
const main = 'http://schemas.openxmlformats.org';
const docx = zipSync({
  '[Content_Types].xml': strToU8(
    `<Types xmlns="${main}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  ),
  '_rels/.rels': strToU8(
    `<Relationships xmlns="${main}/package/2006/relationships"><Relationship Id="r1" Type="${main}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  ),
  'word/document.xml': strToU8(
    `<w:document xmlns:w="${main}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Begun.</w:t></w:r></w:p></w:body></w:document>`,
  ),
});

/** Waits until a condition holds. Its last error says why it does not. */
export async function until(what, condition, timeoutMs = 90_000) {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    let reason = '';
    const holds = await Promise.resolve()
      .then(condition)
      .catch((error) => {
        reason = `: ${error.message}`;
        return false;
      });
    if (holds) return holds;
    if (Date.now() > giveUpAt) throw new Error(`Waited ${timeoutMs / 1_000} s for ${what}${reason}`);
    await pause(250);
  }
}

/**
 * An integrator with one document, and two people who have it open in a browser: one types, the other one sees it.
 *
 * @param address where the integrator listens: an address of this machine that containers reach
 * @param quire the address that browsers see of the servers
 * @param secret `JWT_SECRET` of the servers
 */
export async function openDocument({ address, quire, secret }) {
  const key = `try-${Date.now().toString(36)}`;
  const delivered = [];
  const pages = new Map();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://integrator');
    if (pathname === '/callback') {
      const { status, url } = await json(request);
      if (status === 2) delivered.push(url);
      response.setHeader('content-type', 'application/json').end('{"error":0}');
    } else if (pathname === '/file.docx') response.end(docx);
    else if (pages.has(pathname))
      response.setHeader('content-type', 'text/html; charset=utf-8').end(pages.get(pathname));
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, address, resolve));
  const own = `http://${address}:${server.address().port}`;

  const hostPage = async (name) => {
    const config = {
      documentType: 'word',
      document: { key, url: `${own}/file.docx`, fileType: 'docx', title: 'try.docx' },
      editorConfig: { callbackUrl: `${own}/callback`, mode: 'edit', user: { id: name, name } },
    };
    const signing = new SignJWT(config).setProtectedHeader({ alg: 'HS256' }).setIssuedAt();
    const token = await signing.sign(Buffer.from(secret));
    return `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;height:100%}</style><div id="place"></div>
<script src="${quire}/web-apps/apps/api/documents/api.js"></script>
<script>new DocsAPI.DocEditor('place', ${JSON.stringify({ ...config, token })});</script>`;
  };

  if (!existsSync(chromiumFile)) throw new Error(`There is no browser: ${chromiumFile}`);
  const browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox'] });
  const visit = async (name) => {
    pages.set(`/${name}`, await hostPage(name));
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${own}/${name}`);
    const text = page.frameLocator('iframe').locator('.ProseMirror').first();
    await text.getByText('Begun.').waitFor({ timeout: 90_000 });
    return { page, text };
  };

  const [ann, bob] = [await visit('Ann'), await visit('Bob')];
  const typed = [];
  return {
    /** Ann types a word at the end; Bob sees it, so it was acknowledged and sent on. */
    async type(word) {
      await ann.text.click();
      await ann.page.keyboard.press('Control+End');
      await ann.page.keyboard.type(` ${word}`);
      typed.push(word);
      await until(`${word} on Bob's page`, async () => (await bob.text.textContent()).includes(word));
    },
    /** Both leave; resolves when a file came that has every word once. */
    async close() {
      for (const { page } of [ann, bob]) await page.close();
      const url = await until('the file', () => delivered.at(-1), 180_000);
      const file = unzipSync(new Uint8Array(await (await fetch(url)).arrayBuffer()));
      const xml = strFromU8(file['word/document.xml']).replace(/<[^>]+>/g, '');
      for (const word of typed) {
        if (xml.split(word).length !== 2)
          throw new Error(`${word} is in the file ${xml.split(word).length - 1} times: ${xml}`);
      }
    },
    async end() {
      await browser.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
