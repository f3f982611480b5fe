import { DocumentClientError, DocumentOpenError } from '../../client/client-error.ts';
import { DisconnectCode, ServiceError } from '../../client/protocol/codes.ts';

/** The numbers of `onError` and `onWarning` (integration API, 5.3). */
export const HostCode = {
  unknown: -1,
  conversionTimeout: -2,
  downloadFailed: -4,
  database: -6,
  request: -7,
  badToken: -8,
  imageSize: -9,
  imageExtension: -10,
  imageCount: -11,
  imageUrl: -13,
  connectionLost: -18,
  passwordNeeded: -19,
  encryption: -20,
  expired: -21,
  userLimit: -22,
  accessDenied: -23,
  /** Has no number of its own: it is a refusal like others. */
  otherEditor: -23,
  scriptFailed: -24,
  editing: -25,
  openFailed: -82,
  saveFailed: -83,
  tooBig: -84,
  formatNotRecognised: -85,
  dropped: -100,
  warning: -101,
  versionUpdated: -102,
  forcedView: -103,
  notAssembled: -104,
  /** Has no number of its own: it is a warning like others. */
  storageConflict: -101,
  absoluteSessionLimit: -120,
  idleSession: -121,
  sessionToken: -122,
  forceSaveByButtonFailed: -331,
  forceSaveByTimerFailed: -332,
  submitFailed: -333,
  wrongPassword: -1000,
} as const;
export type HostCodeName = keyof typeof HostCode;

const byServiceError: Readonly<Record<number, HostCodeName>> = {
  [ServiceError.webRequest]: 'downloadFailed',
  [ServiceError.convertDownload]: 'downloadFailed',
  [ServiceError.taskQueue]: 'database',
  [ServiceError.taskResult]: 'database',
  [ServiceError.convert]: 'openFailed',
  [ServiceError.convertUnknownFormat]: 'formatNotRecognised',
  [ServiceError.convertDetect]: 'formatNotRecognised',
  [ServiceError.convertTimeout]: 'conversionTimeout',
  [ServiceError.convertReadFile]: 'openFailed',
  [ServiceError.convertDrmUnsupported]: 'encryption',
  [ServiceError.convertCorrupted]: 'openFailed',
  [ServiceError.convertLibreoffice]: 'openFailed',
  [ServiceError.convertPasswordRequired]: 'passwordNeeded',
  [ServiceError.convertWrongPassword]: 'wrongPassword',
  [ServiceError.convertLimits]: 'tooBig',
  [ServiceError.convertCellLimits]: 'tooBig',
  [ServiceError.uploadSize]: 'imageSize',
  [ServiceError.uploadExtension]: 'imageExtension',
  [ServiceError.uploadCount]: 'imageCount',
  [ServiceError.uploadUrl]: 'imageUrl',
  [ServiceError.verificationKey]: 'badToken',
  [ServiceError.verificationKeyEncrypt]: 'badToken',
  [ServiceError.keyExpired]: 'expired',
  [ServiceError.userCount]: 'userLimit',
  [ServiceError.editorChanges]: 'editing',
  [ServiceError.password]: 'wrongPassword',
  [ServiceError.forcedViewMode]: 'forcedView',
  [ServiceError.fileNotAssembled]: 'notAssembled',
  [ServiceError.quireStorageConflict]: 'storageConflict',
};

const byDisconnectCode: Readonly<Record<number, HostCodeName>> = {
  [DisconnectCode.serverShutdown]: 'connectionLost',
  [DisconnectCode.sessionIdle]: 'idleSession',
  [DisconnectCode.sessionAbsolute]: 'absoluteSessionLimit',
  [DisconnectCode.accessDeny]: 'accessDenied',
  [DisconnectCode.tokenExpired]: 'expired',
  [DisconnectCode.tokenError]: 'badToken',
  [DisconnectCode.drop]: 'dropped',
  [DisconnectCode.updateVersion]: 'versionUpdated',
  [DisconnectCode.noCache]: 'versionUpdated',
  [DisconnectCode.restore]: 'versionUpdated',
  [DisconnectCode.reconnectFailed]: 'connectionLost',
};

/** The server's number of an open error or of a warning (`documentOpen`, `warning.code`) as the page knows it. */
export const nameOfServiceError = (code: number): HostCodeName =>
  byServiceError[code] ?? (isStorageError(code) ? 'database' : 'unknown');

const isStorageError = (code: number): boolean =>
  code <= ServiceError.storage && code >= ServiceError.storageGetInfo;

/**
 * What the page is told of a session that could not begin or has ended: what `DocumentClient.open` rejects with or
 * its event `ended` carries. Null if there is nothing to tell: the editor itself has closed the session.
 */
export function nameOfClientError(error: unknown): HostCodeName | null {
  if (error instanceof DocumentOpenError) return nameOfOpenError(error);
  if (!(error instanceof DocumentClientError)) return 'editing';
  switch (error.code) {
    case 'closed':
      return null;
    case 'refused':
    case 'dropped':
      return (
        byDisconnectCode[error.protocolCode ?? 0] ?? (error.code === 'dropped' ? 'dropped' : 'accessDenied')
      );
    case 'other-editor':
      return 'otherEditor';
    case 'reload':
      return 'versionUpdated';
    case 'unreachable':
    case 'timeout':
      return 'connectionLost';
    case 'read-only':
      return 'accessDenied';
    case 'open':
      return 'openFailed';
    case 'hook':
      return 'editing';
  }
}

function nameOfOpenError({ status, data }: DocumentOpenError): HostCodeName {
  if (status === 'needpassword') return 'passwordNeeded';
  if (status === 'needparams') return 'openFailed';
  return nameOfServiceError(Number(data));
}
