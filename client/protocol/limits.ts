/** Sizes and counts of the protocol, and the bounds within which this implementation accepts messages. */

/** Target size of a part of a save and of an `authChanges` message, characters. One change may exceed it. */
export const websocketMaxPayloadSize = 1_572_864;
/** Most a document's changes may grow to before a client stops editing, characters. */
export const maxChangesSize = 157_286_400;
/** Longest original user id; a longer one is answered with the soft error `User id too long`. */
export const maxUserIdLength = 240;
/** A longer user name is cut to this length. */
export const maxUserNameLength = 255;
/** Largest picture a client may upload, bytes. */
export const limitsImageSizeBytes = 26_214_400;
/** Picture types a client may upload, as `settings.limits_image_types_upload` carries them. */
export const limitsImageTypesUpload = 'jpg;jpeg;jpe;png;gif;bmp;svg;tiff;tif;webp;heic;heif;avif';

/** How long a client waits for the answer to getLock, isSaveLock and unSaveLock, milliseconds. */
export const lockReplyTimeoutMs = 10_000;
/** How long a client waits for the answer to saveChanges, milliseconds. */
export const saveReplyTimeoutMs = 60_000;

/** The longest time within which an integrator may ask for changes to be stored, seconds. */
export const maxStoreWithinS = 86_400;

/**
 * Bounds of message fields, in characters or elements. They are wider than any client's honest use: they
 * exist so that one message cannot make a server keep something enormous.
 */
export const fieldBounds = {
  type: 64,
  docId: 512,
  userId: 4_096,
  userName: 4_096,
  sessionId: 512,
  url: 65_536,
  token: 262_144,
  shortText: 1_024,
  delimiters: 16,
  title: 4_096,
  password: 4_096,
  lockKey: 1_024,
  locksPerRequest: 10_000,
  cursor: 65_536,
  chatMessage: 65_536,
  logMessage: 65_536,
  excelInfo: 4_194_304,
  changesPerMessage: 200_000,
  nesting: 32,
} as const;
