import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { maxUserIdLength } from '../../client/protocol/index.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { typeAfter } from '../support/e2e-text.ts';
import { eventually } from '../support/eventually.ts';
import { textOfDocx, WopiScene } from '../support/wopi-scene.ts';

let scene: WopiScene;
beforeAll(async () => {
  scene = await WopiScene.open();
});
afterAll(() => scene?.close());
afterEach(() => {
  scene.host.info = {};
  scene.host.heal();
  expect(scene.host.badProofs).toEqual([]);
});

const texts: readonly (readonly [string, string])[] = [
  ['NUL', 'a\u0000b'],
  ['half a character', 'a\ud83d'],
  ['the other half', '\ude00a'],
  ['a code point that is no character', 'a\uffff\u{1fffe}'],
  ['marks of direction', '\u202eab\u200f'],
  ['a character beyond U+FFFF', '\u{20bb7}\u91ce'],
  ['a line break', 'a\r\nX-Evil: 1'],
  ['ten thousand letters', 'x'.repeat(10_000)],
  ['ten thousand emoji', '🙂'.repeat(10_000)],
];
const docx = buildDocx({ paragraphs: ['First', 'Second'] });

/** Members of CheckFileInfo that are texts, and one that nobody reads. */
const membersWith = (text: string): Record<string, unknown> => ({
  UserId: `id ${text}`,
  UserFriendlyName: text,
  BreadcrumbDocName: `${text}.docx`,
  BreadcrumbFolderName: text,
  BreadcrumbBrandName: text,
  HostEditUrl: text,
  PostMessageOrigin: text,
  [text]: text,
  UserExtraInfo: { name: text, more: [text] },
});

describe('texts of a host', () => {
  it.for(texts)(
    '[WO88] with %s are no obstacle: the file is opened, saved and unlocked',
    async ([, text]) => {
      scene.host.info = membersWith(text);
      scene.host.tells = { time: (file) => `${file.modifiedAtMs}${text}` };
      const file = scene.newFile(docx, `Report ${text}.docx`);
      const page = await scene.page(file, scene.host.person('ann'), { fields: { sc: text } });
      expect([page.status, page.userAuth.mode]).toEqual([200, 'edit']);
      const ann = await scene.join(page);
      await typeAfter(ann, 'First', '!');
      await ann.saved();
      await ann.close();
      await eventually(
        async () => [textOfDocx(file.bytes), file.lock] as const,
        ([now, lock]) => now === 'First!\nSecond' && lock === null,
      );
      await eventually(
        () => scene.stateOf(page.key),
        (state) => state === 'closed',
      );
      const { rows } = await scene.database.pool.query('SELECT file_info FROM wopi_sessions WHERE key = $1', [
        page.key,
      ]);
      expect(Object.keys(rows[0].file_info)).not.toContain('UserExtraInfo');
      const bytes = await fetch(`${scene.quire.address}/downloadfile/${page.key}`, {
        headers: { authorization: `Bearer ${page.token}` },
      });
      expect(bytes.status).toBe(200);
    },
  );

  it('[WO88] different long ids stay different', async () => {
    const ids: string[] = [];
    for (const end of ['a', 'b']) {
      scene.host.info = { UserId: 'x'.repeat(10_000) + end };
      const page = await scene.page(scene.newFile(docx), scene.host.person('ann'));
      ids.push(page.config.editorConfig.user.id);
    }
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.map(({ length }) => length)).toEqual([maxUserIdLength, maxUserIdLength]);
  });

  it('[WO88] its file and its copy may be named so too', async () => {
    for (const [, text] of texts) {
      const form = new FormData();
      form.set('data', new File([docx], `${text}.docx`));
      const converted = await fetch(`${scene.quire.address}/cool/convert-to/docx`, {
        method: 'POST',
        body: form,
      });
      expect([text.slice(0, 20), converted.status]).toEqual([text.slice(0, 20), 200]);
    }
  });
});

describe('a page that cannot be made', () => {
  it('[WO89] leaves no lock behind', async () => {
    const file = scene.newFile(docx);
    const token = scene.host.person('ann');
    await scene.database.pool.query('ALTER TABLE wopi_sessions RENAME TO away');
    const page = await fetch(
      `${scene.quire.address}/hosting/wopi/word/edit?WOPISrc=${encodeURIComponent(scene.host.sourceOf(file.id))}`,
      { method: 'POST', body: new URLSearchParams({ access_token: token }) },
    );
    await scene.database.pool.query('ALTER TABLE away RENAME TO wopi_sessions');
    expect(page.status).toBe(500);
    expect(scene.host.seen(file.id, 'LOCK')).toHaveLength(1);
    expect(file.lock).toBeNull();
    const ann = await scene.edit(file, token);
    await ann.close();
  });
});
