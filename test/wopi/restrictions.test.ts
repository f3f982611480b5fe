import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { WopiScene } from '../support/wopi-scene.ts';

let scene: WopiScene;
beforeAll(async () => {
  scene = await WopiScene.open();
});
afterAll(() => scene?.close());

/** Members of CheckFileInfo, and what they leave of copy, print and download. */
const restrictions: [object, { copy: boolean; print: boolean; download: boolean }][] = [
  [{ DisableExport: true }, { copy: true, print: true, download: false }],
  [{ HideExportOption: 'true' }, { copy: true, print: true, download: false }],
  [{ DisableCopy: 1 }, { copy: false, print: true, download: true }],
  [{ CopyPasteRestrictions: 'BlockAll' }, { copy: false, print: true, download: true }],
  [{ DisablePrint: '1' }, { copy: true, print: false, download: true }],
  [{ HidePrintOption: true }, { copy: true, print: false, download: true }],
  [{ RestrictedWebViewOnly: true }, { copy: false, print: false, download: false }],
  [{ ProtectInClient: true }, { copy: false, print: false, download: false }],
  [
    { DisableExport: false, DisableCopy: '0', DisablePrint: 0, ProtectInClient: null },
    { copy: true, print: true, download: true },
  ],
];

describe('what a host lets nobody take along', () => {
  it.for(restrictions)('[WO90] %j decides in the page and at the server', async ([members, left]) => {
    const file = scene.newFile(buildDocx({ paragraphs: ['Confidential'] }));
    const guest = scene.host.person(`guest ${JSON.stringify(members)}`, {
      UserCanWrite: false,
      SupportsLocks: true,
      ...members,
    });
    for (const mode of ['view', 'edit']) {
      const page = await scene.page(file, guest, { mode });
      expect(page.config.document.permissions).toMatchObject(left);
      const { address } = scene.quire;
      const bytes = await fetch(`${address}/downloadfile/${page.key}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${page.token}` },
      });
      expect(bytes.status).toBe(left.download ? 200 : 403);
      const session = await scene.join(page);
      const token = (session.client as unknown as { sessionToken?: string }).sessionToken;
      const asked = async (cmd: object) => {
        const query = encodeURIComponent(JSON.stringify({ id: page.key, ...cmd }));
        const response = await fetch(`${address}/downloadas/${page.key}?cmd=${query}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        return response.status;
      };
      expect(await asked({ c: 'save', outputformat: 65 })).toBe(left.download ? 200 : 403);
      expect(await asked({ c: 'save', outputformat: 513, inline: 1 })).toBe(
        left.download || left.print ? 200 : 403,
      );
      await session.close();
    }
  });

  it('[WO90] a file that may not be edited in browsers is opened for reading', async () => {
    const rights = {
      UserCanWrite: true,
      SupportsUpdate: true,
      SupportsLocks: true,
      WebEditingDisabled: true,
    };
    const page = await scene.page(scene.newFile(), scene.host.person('ann', rights));
    expect(page.userAuth.mode).toBe('view');
    expect(page.config.document.permissions.edit).toBe(false);
  });
});
