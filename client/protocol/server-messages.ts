import * as z from 'zod/mini';
import { changeAuthorSchema, changeSchema } from './change.ts';
import { lockMapSchema, lockSchema, releasedLockSchema } from './lock.ts';
import { participantSchema } from './participant.ts';

/** Sent once, right after the connection; browsers authenticate only when they have it. */
export const licenseSchema = z.object({
  type: z.literal('license'),
  license: z.object({
    type: z.int(),
    light: z.optional(z.boolean()),
    mode: z.optional(z.int()),
    rights: z.optional(z.int()),
    buildVersion: z.optional(z.string()),
    buildNumber: z.optional(z.int()),
    quireVersion: z.optional(z.string()),
    protectionSupport: z.optional(z.boolean()),
    isAnonymousSupport: z.optional(z.boolean()),
    liveViewerSupport: z.optional(z.boolean()),
    branding: z.optional(z.boolean()),
    customization: z.optional(z.boolean()),
    advancedApi: z.optional(z.boolean()),
  }),
  aiPluginSettings: z.optional(z.unknown()),
});

/** One chat message. `user` is the unique id. */
export const chatMessageSchema = z.object({
  docid: z.string(),
  message: z.string(),
  time: z.number(),
  user: z.string(),
  useridoriginal: z.string(),
  username: z.optional(z.string()),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

const settingsSchema = z.object({
  spellcheckerUrl: z.optional(z.string()),
  reconnection: z.optional(z.object({ attempts: z.number(), delay: z.number() })),
  binaryChanges: z.optional(z.boolean()),
  websocketMaxPayloadSize: z.optional(z.number()),
  maxChangesSize: z.optional(z.number()),
  limits_image_size: z.optional(z.number()),
  limits_image_types_upload: z.optional(z.string()),
});
/** `auth.settings`: sizes in characters or bytes, `reconnection.delay` in milliseconds. */

/**
 * A session was opened or restored. `participants` is omitted for closed restores, `messages` when empty,
 * `jwt` on a restore. `locks` is an object for text documents and an array for all others.
 * `quireSyncIndex`, `quireAuthor` and `quireStored` are Quire extensions, see the README.
 */
export const authReplySchema = z.object({
  type: z.literal('auth'),
  result: z.int(),
  sessionId: z.string(),
  sessionTimeConnect: z.optional(z.number()),
  participants: z.optional(z.array(participantSchema)),
  messages: z.optional(z.array(chatMessageSchema)),
  locks: z.optional(z.union([z.array(lockSchema), lockMapSchema])),
  indexUser: z.int(),
  hasForgotten: z.optional(z.boolean()),
  jwt: z.optional(z.string()),
  g_cAscSpellCheckUrl: z.optional(z.string()),
  buildVersion: z.optional(z.string()),
  buildNumber: z.optional(z.int()),
  quireVersion: z.optional(z.string()),
  licenseType: z.optional(z.int()),
  settings: z.optional(settingsSchema),
  openedAt: z.optional(z.number()),
  quireSyncIndex: z.optional(z.int()),
  quireAuthor: z.optional(changeAuthorSchema),
  quireStored: z.optional(
    z.object({ index: z.int(), time: z.number(), refusedSince: z.optional(z.number()) }),
  ),
});
export type AuthReply = z.infer<typeof authReplySchema>;

/** Part of the stored changes from index 0, or from a `quireCheckpoint` on; the client counts them. */
export const authChangesSchema = z.object({
  type: z.literal('authChanges'),
  changes: z.array(changeSchema),
});

export const waitAuthSchema = z.object({
  type: z.literal('waitAuth'),
  lockDocument: z.optional(z.nullable(participantSchema)),
});

/** Everybody attached to the document. A list with an older timestamp than one seen before is stale. */
export const connectStateSchema = z.object({
  type: z.literal('connectState'),
  participantsTimestamp: z.number(),
  participants: z.array(participantSchema),
  waitAuth: z.optional(z.boolean()),
});
export type ConnectState = z.infer<typeof connectStateSchema>;

/**
 * Result of an open command. `data` depends on `type` and `status`; absent parts are omitted. `text` is a Quire extension: the model, for
 * who takes it with the answer, where it is small; else it is fetched.
 */
export const documentOpenSchema = z.object({
  type: z.literal('documentOpen'),
  data: z.object({
    type: z.string(),
    status: z.string(),
    data: z.optional(z.unknown()),
    filetype: z.optional(z.string()),
    openedAt: z.optional(z.number()),
    text: z.optional(z.string()),
  }),
});
export type DocumentOpen = z.infer<typeof documentOpenSchema>;

/** All locks of the document, after a request of anybody. */
export const locksReplySchema = z.object({ type: z.literal('getLock'), locks: lockMapSchema });

export const releaseLockSchema = z.object({
  type: z.literal('releaseLock'),
  locks: z.array(releasedLockSchema),
});

/** Answer to `isSaveLock`; true means refused. `saveLock` must stay the last key of the object. */
export const saveLockSchema = z.object({ type: z.literal('saveLock'), saveLock: z.boolean() });

/** A save is stored, or the save lock was given back (-1, -1, -1). `index` -1 means: keep the base. */
export const unSaveLockSchema = z.object({
  type: z.literal('unSaveLock'),
  index: z.int(),
  time: z.number(),
  syncChangesIndex: z.int(),
});
export type UnSaveLock = z.infer<typeof unSaveLockSchema>;

/** A part of a save is stored; the next one may follow. */
export const savePartChangesSchema = z.object({
  type: z.literal('savePartChanges'),
  changesIndex: z.int(),
  syncChangesIndex: z.int(),
});

/** Somebody else's changes. `changesIndex` is the absolute count of stored changes after these. */
export const changesBroadcastSchema = z.object({
  type: z.literal('saveChanges'),
  changes: z.array(changeSchema),
  changesIndex: z.int(),
  syncChangesIndex: z.int(),
  endSaveChanges: z.boolean(),
  locks: z.optional(z.array(releasedLockSchema)),
  excelAdditionalInfo: z.optional(z.nullable(z.string())),
});
export type ChangesBroadcast = z.infer<typeof changesBroadcastSchema>;

/** Chat messages; `messages` is omitted when there are none. */
export const chatReplySchema = z.object({
  type: z.literal('message'),
  messages: z.optional(z.array(chatMessageSchema)),
});

/** Where somebody's cursor is; the text is opaque to servers. */
export const cursorMessageSchema = z.object({
  cursor: z.string(),
  time: z.number(),
  user: z.string(),
  useridoriginal: z.string(),
});
export type CursorMessage = z.infer<typeof cursorMessageSchema>;

export const cursorReplySchema = z.object({
  type: z.literal('cursor'),
  messages: z.array(cursorMessageSchema),
});

export const metaSchema = z.object({
  type: z.literal('meta'),
  messages: z.object({ title: z.optional(z.string()), favorite: z.nullish(z.boolean()) }),
});

/** The session is about to expire. `interval` is milliseconds. */
export const sessionSchema = z.object({
  type: z.literal('session'),
  messages: z.object({ code: z.int(), reason: z.string(), interval: z.optional(z.number()) }),
});

export const refreshTokenSchema = z.object({ type: z.literal('refreshToken'), messages: z.string() });

/** Answer to a force save request. `code` is a `CommandResult`, `time` the time of the last change in it. */
export const forceSaveStartReplySchema = z.object({
  type: z.literal('forceSaveStart'),
  messages: z.object({
    code: z.int(),
    time: z.optional(z.nullable(z.number())),
    inProgress: z.optional(z.boolean()),
    url: z.optional(z.string()),
  }),
});

/**
 * A forced save was begun by the timer (`start`) or ended (`success`). `type` is a `ForceSaveType`; `time` is that of
 * the `forceSaveStart` which asked for it.
 */
export const forceSaveSchema = z.object({
  type: z.literal('forceSave'),
  messages: z.object({
    type: z.int(),
    time: z.optional(z.nullable(z.number())),
    start: z.optional(z.boolean()),
    success: z.optional(z.boolean()),
  }),
});

export const rpcReplySchema = z.object({
  type: z.literal('rpc'),
  responseKey: z.optional(z.nullable(z.union([z.number(), z.string()]))),
  data: z.optional(z.unknown()),
});

export const warningSchema = z.object({
  type: z.literal('warning'),
  code: z.optional(z.nullable(z.int())),
  message: z.optional(z.string()),
});

/** A soft error: the session is demoted to a closed viewer, the connection stays. */
export const errorSchema = z.object({
  type: z.literal('error'),
  description: z.optional(z.string()),
  code: z.optional(z.nullable(z.int())),
});

/** The user was dropped. Some servers put an empty text into `code`; it then means 4007. */
export const dropSchema = z.object({
  type: z.literal('drop'),
  code: z.optional(z.nullable(z.union([z.int(), z.string()]))),
  description: z.optional(z.nullable(z.string())),
});

/**
 * Always followed by the end of the connection, with no invitation to come back. `quireOtherEditor`, a Quire extension: the
 * document is another kind of editor's.
 */
export const disconnectReasonSchema = z.object({
  type: z.literal('disconnectReason'),
  code: z.optional(z.nullable(z.int())),
  description: z.optional(z.nullable(z.string())),
  quireOtherEditor: z.optional(z.boolean()),
});

export const updateVersionSchema = z.object({ type: z.literal('updateVersion'), success: z.boolean() });

/**
 * How many changes of the log the integrator has confirmed to have, and since when; and since when it takes no more.
 * A Quire extension, see the README.
 */
export const storedSchema = z.object({
  type: z.literal('quireStored'),
  index: z.int(),
  time: z.number(),
  refusedSince: z.optional(z.number()),
});

/**
 * What the history of a new session begins with: the document after the first `index` changes of the log. Goes before
 * the `authChanges`. A Quire extension, see the README.
 */
export const checkpointSchema = z.object({
  type: z.literal('quireCheckpoint'),
  index: z.int().check(z.minimum(0)),
  url: z.string(),
});

/**
 * How far the opening of a document is that takes a while: `percent` of a conversion, `ahead` how many go before one that waits.
 * A Quire extension, see the README.
 */
export const openingSchema = z.object({
  type: z.literal('quireOpening'),
  stage: z.enum(['fetching', 'waiting', 'loading', 'converting', 'storing', 'opening']),
  percent: z.optional(z.int()),
  ahead: z.optional(z.int()),
});

/**
 * The server lets its people go: a client that said so (`quireMoves`) makes another connection beside this one, and goes on there.
 * A Quire extension, see the README.
 */
export const moveSchema = z.object({ type: z.literal('quireMove') });

/** The schema of every message a server may send, by its type. */
export const serverSchemas = {
  license: licenseSchema,
  auth: authReplySchema,
  authChanges: authChangesSchema,
  waitAuth: waitAuthSchema,
  connectState: connectStateSchema,
  documentOpen: documentOpenSchema,
  getLock: locksReplySchema,
  releaseLock: releaseLockSchema,
  saveLock: saveLockSchema,
  unSaveLock: unSaveLockSchema,
  savePartChanges: savePartChangesSchema,
  saveChanges: changesBroadcastSchema,
  message: chatReplySchema,
  cursor: cursorReplySchema,
  meta: metaSchema,
  session: sessionSchema,
  refreshToken: refreshTokenSchema,
  forceSaveStart: forceSaveStartReplySchema,
  forceSave: forceSaveSchema,
  rpc: rpcReplySchema,
  warning: warningSchema,
  error: errorSchema,
  drop: dropSchema,
  disconnectReason: disconnectReasonSchema,
  updateVersion: updateVersionSchema,
  quireStored: storedSchema,
  quireCheckpoint: checkpointSchema,
  quireOpening: openingSchema,
  quireMove: moveSchema,
} as const;

export type ServerMessageType = keyof typeof serverSchemas;
/** Every message from a server, discriminated by `type`. */
export type ServerMessage = {
  [Type in ServerMessageType]: z.infer<(typeof serverSchemas)[Type]>;
}[ServerMessageType];
/** The message of one type from a server. */
export type ServerMessageOf<Type extends ServerMessageType> = z.infer<(typeof serverSchemas)[Type]>;

/**
 * The JSON text of a message. Existing load scripts read frames with regular expressions, so `type` is the
 * first key whatever the order in which the object was built.
 */
export function stringifyServerMessage(message: ServerMessage): string {
  const json = JSON.stringify(message);
  if (json.startsWith('{"type":')) return json;
  const { type, ...rest } = message;
  return JSON.stringify({ type, ...rest });
}
