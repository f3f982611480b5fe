import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { browserOptions } from '../../test/support/browser.ts';
import type { TestIntegrator } from '../../test/support/integrator.ts';

/** A browser without a screen. */
export const startChromium = (): Promise<Browser> => chromium.launch(browserOptions);

function hostHtml(server: string, config: unknown): string {
  return `<!doctype html><meta charset="utf-8"><style>html, body { margin: 0; height: 100% }</style><div id="place"></div>
<script src="${server}/web-apps/apps/api/documents/api.js"></script>
<script>new DocsAPI.DocEditor('place', ${JSON.stringify(config).replaceAll('<', '\\u003c')});</script>`;
}

/** Opens a file, whose name is that of its document, by `api.js` in a page of the integrator; resolves with the editor's frame. */
export async function openHosted(
  page: Page,
  server: string,
  integrator: TestIntegrator,
  file: {
    readonly name: string;
    readonly bytes: Uint8Array;
    readonly kind: 'word' | 'cell';
    readonly user?: string;
  },
): Promise<Frame> {
  const { name, bytes, kind, user = 'ann' } = file;
  const [key = name, fileType] = name.split('.');
  const config = {
    documentType: kind,
    document: {
      ...{ key, fileType, title: name, permissions: { edit: true } },
      url: integrator.serve(name, { bytes }),
    },
    editorConfig: { callbackUrl: integrator.callbackUrl(key), user: { id: user, name: user }, mode: 'edit' },
  };
  const address = integrator.serve(`${key}.html`, {
    bytes: new TextEncoder().encode(hostHtml(server, config)),
    contentType: 'text/html; charset=utf-8',
  });
  await page.goto(address);
  for (;;) {
    const frame = page.frames().find((one) => one.url().includes(`/web-apps/apps/quire/${kind}/`));
    if (frame) return frame;
    await page.waitForTimeout(5);
  }
}
