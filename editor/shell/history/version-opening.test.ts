import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { readFrameConfig } from '../../frame/frame-config.ts';
import { roleOf } from '../../frame/role.ts';
import { versionConfig, versionSession } from './version-opening.ts';

function openerOf(permissions: object) {
  const user = { id: 'ann', name: 'Ann' };
  const config = readFrameConfig(
    { user, lang: 'de', region: 'de-AT', mode: 'edit' },
    { key: 'now', fileType: 'odt', title: 'Plan.odt', permissions },
  );
  const title = signal('Renamed.odt');
  return { config, role: roleOf(config), serverUrl: 'https://docs.example/', title };
}

const file = { key: 'before', url: 'https://files.example/1', fileType: '', token: 'signed' };

describe('how a version is opened', () => {
  it('[EH24] it is only read, and copied by those who may copy the document', () => {
    for (const copy of [true, false]) {
      const config = versionConfig(openerOf({ edit: true, copy }), file);
      expect(roleOf(config)).toMatchObject({ canEdit: false, canComment: false, canCopy: copy });
    }
  });

  it('[EH24] it is shown in the language and region of the document, and is of its type unless said otherwise', () => {
    const { editorConfig, document } = versionConfig(openerOf({}), file);
    expect(editorConfig).toMatchObject({ lang: 'de', region: 'de-AT', mode: 'view', user: { id: 'ann' } });
    expect(document).toMatchObject({ key: 'before', fileType: 'odt', title: 'Renamed.odt' });
    expect(versionConfig(openerOf({}), { ...file, fileType: 'docx' }).document.fileType).toBe('docx');
  });

  it('[EH24] its session is of its own key and token, and changes nothing', () => {
    expect(versionSession(openerOf({ edit: true }), file)).toEqual({
      url: 'https://docs.example/',
      key: 'before',
      token: 'signed',
      auth: {
        user: { id: 'ann', username: 'Ann' },
        permissions: { edit: false },
        mode: 'view',
        coEditingMode: 'strict',
        openCmd: { format: 'odt', url: 'https://files.example/1', title: 'Renamed.odt' },
      },
    });
    expect(versionSession(openerOf({}), { ...file, token: undefined })).not.toHaveProperty('token');
  });
});
