import { describe, expect, it } from 'vitest';
import { DocumentClientError, DocumentOpenError } from '../../client/client-error.ts';
import { DisconnectCode, ServiceError } from '../../client/protocol/codes.ts';
import { frame as ar } from '../strings/ar/frame.ts';
import { frame as de } from '../strings/de/frame.ts';
import { frame as en } from '../strings/en/frame.ts';
import { HostCode, nameOfClientError, nameOfServiceError } from './error-codes.ts';
import { HostBridge } from './host-bridge.ts';
import { reportToHost } from './host-report.ts';
import { FakeHost } from './testing/fake-host.ts';

const codeOf = (error: unknown) => {
  const name = nameOfClientError(error);
  return name && HostCode[name];
};
const refused = (protocolCode?: number) =>
  new DocumentClientError('refused', 'no', protocolCode === undefined ? {} : { protocolCode });

describe('what the page is told of errors', () => {
  it.for([
    [refused(DisconnectCode.tokenExpired), -21],
    [refused(DisconnectCode.tokenError), -8],
    [refused(DisconnectCode.accessDeny), -23],
    [refused(DisconnectCode.sessionIdle), -121],
    [refused(DisconnectCode.sessionAbsolute), -120],
    [refused(DisconnectCode.updateVersion), -102],
    [refused(DisconnectCode.serverShutdown), -18],
    [refused(), -23],
    [new DocumentClientError('other-editor', 'no', { protocolCode: DisconnectCode.accessDeny }), -23],
    [new DocumentClientError('dropped', 'no', { protocolCode: DisconnectCode.drop }), -100],
    [new DocumentClientError('dropped', 'no'), -100],
    [new DocumentClientError('reload', 'no'), -102],
    [new DocumentClientError('unreachable', 'no'), -18],
    [new DocumentClientError('timeout', 'no'), -18],
    [new DocumentClientError('read-only', 'no'), -23],
    [new DocumentClientError('hook', 'no'), -25],
    [new DocumentClientError('closed', 'no'), null],
    [new TypeError('no'), -25],
    [new DocumentOpenError('needpassword', 0), -19],
    [new DocumentOpenError('needparams', 'https://s.test/'), -82],
    [new DocumentOpenError('err', ServiceError.convertDownload), -4],
    [new DocumentOpenError('err', ServiceError.convertCorrupted), -82],
    [new DocumentOpenError('err', ServiceError.convertUnknownFormat), -85],
    [new DocumentOpenError('err', ServiceError.convertLimits), -84],
    [new DocumentOpenError('err', ServiceError.convertTimeout), -2],
    [new DocumentOpenError('err', ServiceError.convertPasswordRequired), -19],
    [new DocumentOpenError('err', ServiceError.convertWrongPassword), -1000],
    [new DocumentOpenError('err', 'nonsense'), -1],
  ] as const)('[HB10] %s: %s', ([error, code]) => {
    expect(codeOf(error)).toBe(code);
  });

  it('[HB10] every number of the server has one for the page', () => {
    for (const code of Object.values(ServiceError))
      expect(HostCode[nameOfServiceError(code)]).toBeLessThan(0);
    expect(nameOfServiceError(ServiceError.storageRead)).toBe('database');
    expect(nameOfServiceError(ServiceError.forcedViewMode)).toBe('forcedView');
    expect(nameOfServiceError(ServiceError.fileNotAssembled)).toBe('notAssembled');
  });

  it('[HB11] every number has a sentence in every language', () => {
    for (const texts of [en, de, ar]) {
      expect(Object.keys(texts).sort()).toEqual(['noHost', ...Object.keys(HostCode)].sort());
      for (const sentence of Object.values(texts)) expect(sentence).toMatch(/\.$/);
    }
  });

  it('[HB11] after a warning the document goes on, after an error it does not', () => {
    const host = new FakeHost();
    const bridge = new HostBridge(host.frame);
    reportToHost(bridge, 'notAssembled');
    reportToHost(bridge, 'openFailed', 'The file is damaged.');
    expect(host.heard).toEqual([
      {
        event: 'onWarning',
        data: { warningCode: -104, warningDescription: en.notAssembled },
        frameEditorId: 'place',
      },
      {
        event: 'onError',
        data: { errorCode: -82, errorDescription: 'The file is damaged.' },
        frameEditorId: 'place',
      },
    ]);
  });
});
