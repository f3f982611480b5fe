import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Response } from 'express';
import { webDirectory } from '../integration/web-pages.ts';
import { escapeXml } from './escape-xml.ts';

/** What a page says when there is no editor to show; the browser has the words for each in the person's language. */
export type Problem =
  | 'no-file'
  | 'no-token'
  | 'host-not-allowed'
  | 'host-refused'
  | 'host-without-file'
  | 'host-unreachable'
  | 'host-answer'
  | 'format'
  | 'not-built';

const problems: Readonly<Record<Problem, readonly [status: number, sentence: string]>> = {
  'no-file': [400, 'The address does not name a file (WOPISrc).'],
  'no-token': [401, 'The page was opened without an access token.'],
  'host-not-allowed': [403, 'This server is not set up to open files of this storage.'],
  'host-refused': [403, 'The storage does not let you open this file. Open it again from there.'],
  'host-without-file': [404, 'The storage has no such file any more, or you may not see it.'],
  'host-unreachable': [502, 'The storage does not answer. Try again later.'],
  'host-answer': [502, 'The storage answers in a way that is not understood.'],
  format: [415, 'Files of this kind cannot be opened.'],
  'not-built': [503, 'The editors are not built: run npm run build.'],
};

/** A page of the browser's, with what it needs to know. */
export interface Page {
  title: string;
  lang: string;
  /** Ids of elements, and what their attribute `data-json` holds. */
  data: Readonly<Record<string, string>>;
  /** The signed claims; null where there is nothing to sign in to. */
  token: string | null;
  /** From the page's address to the root of the server: `../../../`. */
  root: string;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  'frame-ancestors *',
].join('; ');

/** The pages that WOPI hosts frame: what the build made of `editor/wopi`, with data for its script. */
export class PageShell {
  readonly #template: string | null;

  constructor(directory: string = webDirectory) {
    this.#template = readTemplate(path.join(directory, 'wopi/index.html'));
  }

  send(response: Response, page: Page): void {
    if (this.#template === null) this.sendProblem(response, 'not-built', page.lang, page.root);
    else this.#send(response, 200, this.#template, page, '');
  }

  /** A page that says in words why there is no editor; `detail` is shown as it is. */
  sendProblem(response: Response, problem: Problem, lang: string, root: string, detail = ''): void {
    const [status, sentence] = problems[problem];
    const template =
      this.#template ?? '<!doctype html><html><head><title></title></head><body></body></html>';
    const data = { problem, problemDetail: detail };
    const shown = `<main class="problem"><h1>${escapeXml(sentence)}</h1><p>${escapeXml(detail)}</p></main>`;
    this.#send(response, status, template, { title: 'Quire', lang, data, token: null, root }, shown);
  }

  #send(response: Response, status: number, template: string, page: Page, shown: string): void {
    const { title, lang, data, token, root } = page;
    const elements = Object.entries(data).map(
      ([id, value]) => `<div id="${id}" style="display:none;" data-json="${escapeXml(value)}"></div>`,
    );
    // A block of data, not a script: nothing in the page is run but files of this server.
    const signed =
      token === null ? '' : `<script id="tokenData" type="text/plain">\ntoken = "${token}";\n</script>`;
    const api = `<script src="${root}web-apps/apps/api/documents/api.js"></script>`;
    const body = [shown, ...elements, signed, token === null ? '' : api].join('\n');
    const html = template
      .replaceAll('../assets/', `${root}web-apps/apps/quire/assets/`)
      .replace(/<html[^>]*>/, () => `<html lang="${escapeXml(lang)}">`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeXml(title)}</title>`)
      .replace('</body>', () => `${body}\n</body>`);
    response
      .status(status)
      .type('html')
      .set('Content-Security-Policy', policy)
      .set('Cache-Control', 'no-store')
      .set('Referrer-Policy', 'no-referrer')
      .send(html);
  }
}

function readTemplate(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
