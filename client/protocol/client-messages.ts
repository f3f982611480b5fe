import * as z from 'zod/mini';
import {
  boundedJson,
  boundedObject,
  idText,
  ifReadable,
  maybe,
  maybeFlag,
  maybeInteger,
  maybeMilliseconds,
  plain,
  plainText,
  text,
} from './fields.ts';
import { fieldBounds, maxStoreWithinS } from './limits.ts';
import { blocksSchema } from './lock.ts';
import { openCommandSchema } from './open-command.ts';
import { modeIn, numberIn } from './plain-values.ts';

const userName = ifReadable(plainText(fieldBounds.userName));
const shortText = ifReadable(plainText(fieldBounds.shortText));

/** `auth.user`. `id` is the original user id; `indexUser` is -1 on a first open and the own index after. */
export const authUserSchema = z.object({
  id: maybe(idText),
  username: userName,
  firstname: userName,
  lastname: userName,
  indexUser: maybeInteger,
  customerId: userName,
});

/**
 * Opens or restores a session. A message without `token` (a constant dummy) or without `user` is to be
 * ignored silently, which is why both are optional here. `sessionId` null means a new session.
 * What comes from the configuration of a page is read as that page wrote it.
 * `quireSyncIndex`, `quireCheckpoint`, `quireMoves` and `quireStoreWithinS` are Quire extensions, see the README.
 */
export const authSchema = z.object({
  type: z.literal('auth'),
  docid: maybe(plainText(fieldBounds.docId)),
  documentCallbackUrl: maybe(plainText(fieldBounds.url)),
  token: maybe(text(fieldBounds.token)),
  user: maybe(authUserSchema),
  editorType: maybe(z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])),
  lastOtherSaveTime: maybeMilliseconds,
  block: maybe(blocksSchema),
  sessionId: maybe(text(fieldBounds.sessionId)),
  sessionTimeConnect: maybeMilliseconds,
  sessionTimeIdle: maybeMilliseconds,
  documentFormatSave: maybeInteger,
  isCloseCoAuthoring: maybeFlag,
  openCmd: maybe(openCommandSchema),
  lang: shortText,
  mode: ifReadable(z.pipe(plain(modeIn), text(fieldBounds.shortText))),
  permissions: maybe(boundedObject),
  encrypted: maybeFlag,
  IsAnonymousUser: maybeFlag,
  timezoneOffset: maybe(z.number()),
  headingsColor: z.optional(boundedJson),
  coEditingMode: shortText,
  jwtOpen: maybe(text(fieldBounds.token)),
  jwtSession: maybe(text(fieldBounds.token)),
  supportAuthChangesAck: maybeFlag,
  quireSyncIndex: z.optional(z.int().check(z.minimum(0))),
  quireCheckpoint: maybeFlag,
  quireMoves: maybeFlag,
  quireStoreWithinS: z.optional(
    z.pipe(plain(numberIn), z.number().check(z.minimum(0), z.maximum(maxStoreWithinS))),
  ),
});
export type AuthRequest = z.infer<typeof authSchema>;

/** A part of a chat; `message` on the way to the server. */
export const chatSchema = z.object({ type: z.literal('message'), message: text(fieldBounds.chatMessage) });

export const cursorSchema = z.object({ type: z.literal('cursor'), cursor: text(fieldBounds.cursor) });

export const getLockSchema = z.object({ type: z.literal('getLock'), block: blocksSchema });
export type GetLock = z.infer<typeof getLockSchema>;

/** Asks for the save lock. Absent or 0 says nothing about what the client knows. */
export const isSaveLockSchema = z.object({ type: z.literal('isSaveLock'), syncChangesIndex: maybeInteger });
export type IsSaveLock = z.infer<typeof isSaveLockSchema>;

/**
 * A part of a save. `changes` is the JSON text of an array of change strings, see `parseChangeList`.
 * `deleteIndex` null or negative deletes nothing. `reSave` is 1 after a time-out and 2 after a reconnect;
 * some clients send false for a first save.
 * `quireIndex` is a Quire extension: the index at which the first change of this part belongs.
 */
export const saveChangesSchema = z.object({
  type: z.literal('saveChanges'),
  changes: z.string(),
  startSaveChanges: maybeFlag,
  endSaveChanges: maybeFlag,
  isCoAuthoring: maybeFlag,
  isExcel: maybeFlag,
  deleteIndex: maybeInteger,
  excelAdditionalInfo: maybe(text(fieldBounds.excelInfo)),
  unlock: maybeFlag,
  releaseLocks: maybeFlag,
  reSave: maybe(z.union([z.int(), z.boolean()])),
  quireIndex: z.optional(z.int().check(z.minimum(0))),
});
export type SaveChanges = z.infer<typeof saveChangesSchema>;

/** Releases what the flags name, in the order deletion, auth lock, element locks, save lock. */
export const unLockDocumentSchema = z.object({
  type: z.literal('unLockDocument'),
  isSave: maybeFlag,
  unlock: maybeFlag,
  deleteIndex: maybeInteger,
  releaseLocks: maybeFlag,
});

export const openDocumentSchema = z.object({ type: z.literal('openDocument'), message: openCommandSchema });
export type OpenDocument = z.infer<typeof openDocumentSchema>;

export const clientLogSchema = z.object({
  type: z.literal('clientLog'),
  level: maybe(text(fieldBounds.shortText)),
  msg: maybe(text(fieldBounds.logMessage)),
});

export const extendSessionSchema = z.object({
  type: z.literal('extendSession'),
  idletime: maybeMilliseconds,
});

export const rpcRequestSchema = z.object({
  type: z.literal('rpc'),
  responseKey: maybe(z.union([z.number(), text(fieldBounds.shortText)])),
  data: z.optional(boundedJson),
});

export const authChangesAckSchema = z.object({ type: z.literal('authChangesAck') });
export const getMessagesSchema = z.object({ type: z.literal('getMessages') });
export const unSaveLockRequestSchema = z.object({ type: z.literal('unSaveLock') });
export const closeSchema = z.object({ type: z.literal('close') });
export const forceSaveStartRequestSchema = z.object({ type: z.literal('forceSaveStart') });

/** The schema of every message a client may send, by its type. */
export const clientSchemas = {
  auth: authSchema,
  authChangesAck: authChangesAckSchema,
  message: chatSchema,
  getMessages: getMessagesSchema,
  cursor: cursorSchema,
  getLock: getLockSchema,
  isSaveLock: isSaveLockSchema,
  saveChanges: saveChangesSchema,
  unSaveLock: unSaveLockRequestSchema,
  unLockDocument: unLockDocumentSchema,
  close: closeSchema,
  openDocument: openDocumentSchema,
  clientLog: clientLogSchema,
  extendSession: extendSessionSchema,
  forceSaveStart: forceSaveStartRequestSchema,
  rpc: rpcRequestSchema,
} as const;

export type ClientMessageType = keyof typeof clientSchemas;
/** Every message from a client, discriminated by `type`. */
export type ClientMessage = {
  [Type in ClientMessageType]: z.infer<(typeof clientSchemas)[Type]>;
}[ClientMessageType];
/** The message of one type from a client. */
export type ClientMessageOf<Type extends ClientMessageType> = z.infer<(typeof clientSchemas)[Type]>;
