/**
 * The numbers of the co-authoring protocol. Each table is a constant object with an inferred union type of
 * the same name, so that a number on the wire has a word in the code.
 */

/** `auth.editorType`: which editor the document is open in. 0 is also the PDF editor. */
export const EditorType = { text: 0, spreadsheet: 1, presentation: 2, diagram: 3 } as const;
export type EditorType = (typeof EditorType)[keyof typeof EditorType];

/** `license.license.rights`. */
export const LicenseRights = { none: 0, edit: 1, review: 2, comment: 3, view: 4 } as const;
export type LicenseRights = (typeof LicenseRights)[keyof typeof LicenseRights];

/** `license.license.type` and `auth.licenseType`. Only 3 and 7 leave an editor its rights. */
export const LicenseResult = {
  error: 1,
  expired: 2,
  success: 3,
  unknownUser: 4,
  connectionsLimit: 5,
  expiredTrial: 6,
  successLimit: 7,
  usersLimit: 8,
  connectionsLimitOpenSource: 9,
  usersLimitOpenSource: 10,
  expiredLimited: 11,
  liveViewersLimitOpenSource: 12,
  liveViewersLimit: 13,
  viewUsersLimit: 14,
  viewUsersLimitOpenSource: 15,
  notBefore: 16,
} as const;
export type LicenseResult = (typeof LicenseResult)[keyof typeof LicenseResult];

/** `license.license.mode`. */
export const LicenseMode = { none: 0, trial: 1, developer: 2, limited: 4 } as const;
export type LicenseMode = (typeof LicenseMode)[keyof typeof LicenseMode];

/** The status of a document row. 4 is unused. */
export const FileStatus = {
  none: 0,
  ok: 1,
  waitQueue: 2,
  needParams: 3,
  error: 5,
  errorToReload: 6,
  saveVersion: 7,
  updateVersion: 8,
  needPassword: 9,
} as const;
export type FileStatus = (typeof FileStatus)[keyof typeof FileStatus];

/** `status` of a callback to the integrator. */
export const CallbackStatus = {
  notFound: 0,
  editing: 1,
  mustSave: 2,
  corrupted: 3,
  closed: 4,
  mailMerge: 5,
  forceSaved: 6,
  forceSaveFailed: 7,
} as const;
export type CallbackStatus = (typeof CallbackStatus)[keyof typeof CallbackStatus];

/** `actions[].type` of a callback to the integrator. */
export const CallbackAction = { leave: 0, join: 1, forceSaveButton: 2 } as const;
export type CallbackAction = (typeof CallbackAction)[keyof typeof CallbackAction];

/** What asked for a force save. */
export const ForceSaveType = { command: 0, button: 1, timer: 2, form: 3, internal: 4 } as const;
export type ForceSaveType = (typeof ForceSaveType)[keyof typeof ForceSaveType];

/** Result of a command of the command service and of a force save (`code`). */
export const CommandResult = {
  ok: 0,
  badDocumentId: 1,
  parseError: 2,
  unknownError: 3,
  notModified: 4,
  unknownCommand: 5,
  badToken: 6,
  expiredToken: 7,
} as const;
export type CommandResult = (typeof CommandResult)[keyof typeof CommandResult];

/**
 * `code` of `disconnectReason`, `error`, `drop` and `session`. These are numbers inside JSON and never
 * WebSocket close codes. 4011 and 4012 exist in clients only.
 */
export const DisconnectCode = {
  serverShutdown: 4001,
  sessionIdle: 4002,
  sessionAbsolute: 4003,
  accessDeny: 4004,
  tokenExpired: 4005,
  tokenError: 4006,
  drop: 4007,
  updateVersion: 4008,
  noCache: 4009,
  restore: 4010,
  quiet: 4011,
  reconnectFailed: 4012,
} as const;
export type DisconnectCode = (typeof DisconnectCode)[keyof typeof DisconnectCode];

/**
 * The `description` that goes with a disconnect code. The token codes are followed by the reason
 * (`token:jwt expired`); 4010 by what could not be restored.
 */
export const disconnectDescriptions: Readonly<Record<DisconnectCode, string>> = {
  4001: 'server shutdown',
  4002: 'idle session expires',
  4003: 'absolute session expires',
  4004: 'access deny',
  4005: 'token:',
  4006: 'token:',
  4007: 'drop',
  4008: 'Update Version error',
  4009: 'Other error',
  4010: 'Restore error.',
  4011: 'quiet',
  4012: 'reconnect failed',
};

/** Service errors: `documentOpen.data.data` of an `err`, and `warning.code`. */
export const ServiceError = {
  ok: 0,
  unknown: -1,
  readRequestStream: -3,
  webRequest: -4,
  changeDocInfo: -5,
  taskQueue: -20,
  taskResult: -40,
  storage: -60,
  storageNotFound: -61,
  storageRead: -62,
  storageWrite: -63,
  storageRemoveDir: -64,
  storageCreateDir: -65,
  storageGetInfo: -66,
  convert: -80,
  convertDownload: -81,
  convertUnknownFormat: -82,
  convertTimeout: -83,
  convertReadFile: -84,
  convertDrmUnsupported: -85,
  convertCorrupted: -86,
  convertLibreoffice: -87,
  convertParams: -88,
  convertNeedParams: -89,
  convertPasswordRequired: -90,
  convertWrongPassword: -91,
  convertIcu: -92,
  convertLimits: -93,
  convertTemporary: -94,
  convertDetect: -95,
  convertCellLimits: -96,
  convertDeadLetter: -99,
  upload: -100,
  uploadSize: -101,
  uploadExtension: -102,
  uploadCount: -103,
  uploadUrl: -104,
  verificationKey: -120,
  verificationKeyEncrypt: -121,
  keyExpired: -122,
  userCount: -123,
  timeExpired: -124,
  timeIncorrect: -125,
  editorChanges: -160,
  password: -180,
  forcedViewMode: -200,
  fileNotAssembled: -201,
  /** Of Quire: the storage has another version of the file by now, and was not given this one. */
  quireStorageConflict: -2001,
  /** Of Quire: somebody writes more to the chat than others are shown; the message was not passed on. */
  quireChatFlood: -2002,
} as const;
export type ServiceError = (typeof ServiceError)[keyof typeof ServiceError];
