import { expect, it } from 'vitest';
import { readFrameConfig } from '../frame/frame-config.ts';
import { readerRole } from './reader-role.ts';

const roleFor = (permissions: object, mode = 'edit') =>
  readerRole(readFrameConfig({ mode }, { fileType: 'pdf', permissions }));

it('[PV3] whatever the configuration allows, the page offers nothing that changes the document', () => {
  for (const permissions of [{}, { edit: true, review: true, comment: true, fillForms: true, chat: true }]) {
    expect(roleFor(permissions)).toMatchObject({
      ...{ role: 'view', canEdit: false, canReview: false, canComment: false, canFillForms: false },
      canChat: false,
    });
  }
});

it.for([
  [{}, true, true],
  [{ print: false }, true, false],
  [{ download: false }, false, false],
  [{ download: false, print: true }, false, true],
  [{ download: false, print: false }, false, false],
] as const)('[PV6] %j: download %s, print %s, as the server decides it', ([permissions, download, print]) => {
  expect(roleFor(permissions)).toMatchObject({ canDownload: download, canPrint: print });
});
