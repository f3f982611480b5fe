import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { jwtVerify, SignJWT } from 'jose';
import { until } from './until.mjs';

const firstText = 'Begun.';
const schemas = 'http://schemas.openxmlformats.org';
const firstFile = zipSync({
  '[Content_Types].xml': strToU8(
    `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  ),
  '_rels/.rels': strToU8(
    `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="r1" Type="${schemas}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  ),
  'word/document.xml': strToU8(
    `<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${firstText}</w:t></w:r></w:p></w:body></w:document>`,
  ),
});

/** The text of a docx that has one paragraph. */
export const textOf = (file) => strFromU8(unzipSync(file)['word/document.xml']).replaceAll(/<[^>]+>/g, '');

/**
 * An application with one document. Like a real one it stores each file that it is sent, opens the stored file the next time under
 * a new key, believes only what is signed, and says that it has no file when it could not fetch it.
 */
export class Integrator {
  /** What people typed and somebody else saw, so that it was acknowledged; in the order of the text. */
  acknowledged = [firstText];
  #file = firstFile;
  #versions = 0;
  #own = '';
  #server = createServer((request, response) =>
    this.#answer(request, response).catch((error) => response.writeHead(500).end(error.message)),
  );
  #name = `try-${Date.now().toString(36)}`;

  /**
   * @param quire the address that browsers see of the servers
   * @param secret `JWT_SECRET` of the servers, as bytes
   */
  constructor(quire, secret) {
    this.quire = quire;
    this.secret = secret;
  }

  /** @param address an address of this machine that containers and browsers reach */
  async listen(address) {
    this.#server.listen(0, address);
    await once(this.#server, 'listening');
    this.#own = `http://${address}:${this.#server.address().port}`;
    return this;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The address of the page with the editor for a person. */
  pageOf = (name) => `${this.#own}/page/${name}`;

  /** The address of the stored file. */
  get fileAddress() {
    return `${this.#own}/file.docx`;
  }

  get #key() {
    return `${this.#name}-${this.#versions}`;
  }

  /** Waits for a file that says exactly what was acknowledged, each word once and in its order. */
  async stored(timeoutMs = 180_000) {
    await until(
      'the file',
      () => {
        const [text, expected] = [textOf(this.#file), this.acknowledged.join(' ')];
        if (text !== expected) throw new Error(`version ${this.#versions} says "${text}", not "${expected}"`);
        return true;
      },
      timeoutMs,
    );
  }

  async #answer(request, response) {
    const { pathname } = new URL(request.url, 'http://integrator');
    if (pathname === '/file.docx') response.end(this.#file);
    else if (pathname.startsWith('/page/'))
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(await this.#page(pathname.slice('/page/'.length)));
    else if (pathname === '/callback') {
      const error = await this.#take(await json(request)).then(
        () => 0,
        (reason) => {
          console.log(`  the integrator refuses a callback: ${reason.message}`);
          return 1;
        },
      );
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ error }));
    } else response.writeHead(404).end();
  }

  async #take({ token }) {
    const { payload } = await jwtVerify(token, this.secret);
    // An older key: the callback for a file that is stored already came again.
    if (payload.status !== 2 || payload.key !== this.#key) return;
    const answer = await fetch(payload.url);
    if (!answer.ok) throw new Error(`the file of version ${this.#versions + 1}: status ${answer.status}`);
    this.#file = new Uint8Array(await answer.arrayBuffer());
    this.#versions += 1;
  }

  async #page(name) {
    const config = {
      documentType: 'word',
      document: { key: this.#key, url: this.fileAddress, fileType: 'docx', title: 'try.docx' },
      editorConfig: { callbackUrl: `${this.#own}/callback`, mode: 'edit', user: { id: name, name } },
    };
    return `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;height:100%}</style><div id="place"></div>
<script src="${this.quire}/web-apps/apps/api/documents/api.js"></script>
<script>new DocsAPI.DocEditor('place', ${JSON.stringify({ ...config, token: await this.sign(config) })});</script>`;
  }

  /** A token with these claims for the servers. */
  sign = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().sign(this.secret);
}
