import {
  type AuthRequest,
  type ClientMessage,
  type ClientMessageOf,
  type ClientMessageType,
  CommandResult,
  DisconnectCode,
  fieldBounds,
  type ServerMessage,
} from '../../../../client/protocol/index.ts';
import type { Peer } from '../../../../platform/ports/peer.ts';
import { send } from '../open-document.ts';
import type { Beliefs } from './belief.ts';
import { costOfCommand } from './command-rights.ts';
import { allHold, type Condition, type Standing } from './standing.ts';

/** What becomes of a message that its sender may not send. `dismiss`: the connection ends for good. */
export type Otherwise = 'ignore' | 'dismiss' | ServerMessage;

/** Who hears of a message, beside who sent it. */
export type Audience = 'nobody' | 'participants' | 'editors' | 'followers' | 'chat';

/** What may be done with a message of one type, by whom, and at what cost. */
export interface MessageRights<Message> {
  /** What becomes of it before its sender has signed in; `handle`: it is for that. */
  readonly fromStranger: 'handle' | Otherwise;
  /** What must hold for its sender when it is handled. */
  readonly needs: readonly Condition[];
  /** What becomes of it where that does not hold. */
  readonly otherwise: Otherwise;
  /** Largest size, characters, envelope included; `transport`: only what the connection takes at all. */
  readonly mostCharacters: number | 'transport';
  /** Who hears of it. */
  readonly heardBy: Audience;
  /** About what handling it costs beside reading it, milliseconds of the event loop, when so many hear of it. */
  readonly costMs: (message: Message, listeners: number) => number;
  /** Whether only a person at the screen causes it: clients send the others by themselves, or because of other people. */
  readonly isActivity: (message: Message) => boolean;
  /** What of it is believed. */
  readonly fields: Beliefs<Message>;
}

/** Names of fields, signs and numbers around the texts of a message, characters. JSON may write one character as six. */
const envelope = 4_096;
const written = (characters: number): number => 6 * characters + envelope;

const perBlock = 0.05;
/** To look at changes and to store them, beside reading the message; what others are sent is paid when it is sent. */
const perMegabyteStored = 10;
/** A message to one receiver. Bounded, so that in the largest documents a sender does not pay for all receivers. */
const perListener = 0.004;
const mostForListeners = 1;
const toListeners = (listeners: number): number => 0.05 + Math.min(listeners * perListener, mostForListeners);

const always = () => true;
const never = () => false;
const noForceSave: ServerMessage = {
  type: 'forceSaveStart',
  messages: { code: CommandResult.unknownError },
};

/**
 * The rights of every message of the protocol: one row each, or this does not compile. The dispatcher asks it before a
 * message is handled; handlers decide only what depends on more than who sends it and where they are. `docs/security.md` prints
 * it, and the trials of rights draw from it.
 */
export const messageRights: {
  readonly [Type in ClientMessageType]: MessageRights<ClientMessageOf<Type>>;
} = {
  auth: {
    fromStranger: 'handle',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: 'transport',
    heardBy: 'participants',
    costMs: () => 5,
    isActivity: never,
    fields: {
      docid: 'signed',
      documentCallbackUrl: 'signed',
      token: 'unread',
      user: 'signed',
      editorType: 'checked',
      lastOtherSaveTime: 'checked',
      block: 'checked',
      sessionId: 'proof',
      sessionTimeConnect: 'checked',
      sessionTimeIdle: 'own',
      documentFormatSave: 'unread',
      isCloseCoAuthoring: 'wish',
      openCmd: 'signed',
      lang: 'own',
      mode: 'signed',
      permissions: 'signed',
      encrypted: 'content',
      IsAnonymousUser: 'unread',
      timezoneOffset: 'unread',
      headingsColor: 'unread',
      coEditingMode: 'signed',
      jwtOpen: 'proof',
      jwtSession: 'proof',
      supportAuthChangesAck: 'own',
      quireSyncIndex: 'own',
      quireCheckpoint: 'wish',
      quireMoves: 'wish',
      quireStoreWithinS: 'signed',
    },
  },
  authChangesAck: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: envelope,
    heardBy: 'nobody',
    costMs: () => 0,
    isActivity: never,
    fields: {},
  },
  message: {
    fromStranger: 'ignore',
    needs: ['isIn', 'seesContent', 'mayChat'],
    otherwise: 'ignore',
    mostCharacters: written(fieldBounds.chatMessage),
    heardBy: 'chat',
    costMs: (_message, listeners) => toListeners(listeners),
    isActivity: always,
    fields: { message: 'content' },
  },
  getMessages: {
    fromStranger: 'ignore',
    needs: ['isIn', 'seesContent', 'mayChat'],
    otherwise: { type: 'message' },
    mostCharacters: envelope,
    heardBy: 'nobody',
    costMs: () => 2,
    isActivity: never,
    fields: {},
  },
  cursor: {
    fromStranger: 'ignore',
    needs: ['isIn', 'seesContent'],
    otherwise: 'ignore',
    mostCharacters: written(fieldBounds.cursor),
    heardBy: 'participants',
    costMs: (_message, listeners) => toListeners(listeners),
    isActivity: never,
    fields: { cursor: 'content' },
  },
  getLock: {
    fromStranger: 'dismiss',
    needs: ['mayChange'],
    otherwise: 'dismiss',
    mostCharacters: 'transport',
    heardBy: 'editors',
    costMs: ({ block }) => 0.1 + block.length * perBlock,
    isActivity: always,
    fields: { block: 'wish' },
  },
  isSaveLock: {
    fromStranger: 'dismiss',
    needs: ['mayChange'],
    otherwise: 'dismiss',
    mostCharacters: envelope,
    heardBy: 'nobody',
    costMs: () => 0,
    isActivity: never,
    fields: { syncChangesIndex: 'checked' },
  },
  saveChanges: {
    fromStranger: 'dismiss',
    needs: ['mayChange'],
    otherwise: 'dismiss',
    mostCharacters: 'transport',
    heardBy: 'followers',
    costMs: ({ changes }) => 0.1 + (changes.length / 1_000_000) * perMegabyteStored,
    isActivity: ({ changes }) => changes !== '[]',
    fields: {
      changes: 'content',
      startSaveChanges: 'own',
      endSaveChanges: 'own',
      isCoAuthoring: 'own',
      isExcel: 'own',
      deleteIndex: 'checked',
      excelAdditionalInfo: 'content',
      unlock: 'checked',
      releaseLocks: 'own',
      reSave: 'own',
      quireIndex: 'checked',
    },
  },
  unSaveLock: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: envelope,
    heardBy: 'nobody',
    costMs: () => 0,
    isActivity: never,
    fields: {},
  },
  unLockDocument: {
    fromStranger: 'ignore',
    // What it takes back is judged by the log, and its sender is told.
    needs: ['isEditor'],
    otherwise: 'ignore',
    mostCharacters: envelope,
    heardBy: 'editors',
    costMs: () => 0.3,
    isActivity: never,
    fields: { isSave: 'own', unlock: 'checked', deleteIndex: 'checked', releaseLocks: 'own' },
  },
  close: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: envelope,
    heardBy: 'participants',
    costMs: () => 5,
    isActivity: never,
    fields: {},
  },
  openDocument: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: 'transport',
    heardBy: 'nobody',
    costMs: ({ message }) => costOfCommand(message),
    isActivity: always,
    fields: { message: 'wish' },
  },
  clientLog: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: written(fieldBounds.logMessage + fieldBounds.shortText),
    heardBy: 'nobody',
    costMs: () => 0,
    isActivity: never,
    fields: { level: 'own', msg: 'content' },
  },
  extendSession: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: envelope,
    heardBy: 'nobody',
    costMs: () => 0,
    isActivity: never,
    fields: { idletime: 'own' },
  },
  forceSaveStart: {
    fromStranger: noForceSave,
    needs: ['mayChange'],
    otherwise: noForceSave,
    mostCharacters: envelope,
    heardBy: 'editors',
    costMs: () => 5,
    isActivity: always,
    fields: {},
  },
  rpc: {
    fromStranger: 'ignore',
    needs: [],
    otherwise: 'ignore',
    mostCharacters: 'transport',
    heardBy: 'nobody',
    costMs: () => 5,
    isActivity: always,
    fields: { responseKey: 'own', data: 'wish' },
  },
};

/** Messages that are handled in line with everything else of their document. */
const documentMessages = [
  ...(['authChangesAck', 'message', 'getMessages', 'cursor', 'getLock', 'isSaveLock'] as const),
  ...(['saveChanges', 'unSaveLock', 'unLockDocument'] as const),
];
export type DocumentMessage = ClientMessageOf<(typeof documentMessages)[number]> & ClientMessage;

export const isOfDocument = (message: ClientMessage): message is DocumentMessage =>
  documentMessages.some((type) => type === message.type);

/** What of the user that an `auth` names is believed. */
export const userFields: Beliefs<NonNullable<AuthRequest['user']>> = {
  id: 'signed',
  username: 'signed',
  firstname: 'signed',
  lastname: 'signed',
  indexUser: 'checked',
  customerId: 'unread',
};

/** The row of a message. */
export const rightsOf = (message: ClientMessage): MessageRights<ClientMessage> =>
  messageRights[message.type] as MessageRights<ClientMessage>;

/** Of any message: reading it, and its part of the way through the server, milliseconds. */
const perMessage = 0.05;
const perMegabyte = 10;

/**
 * About what it costs the server to handle a message, in milliseconds of its event loop, the database's part included.
 * `listeners` hear what its sender says to everybody in the document.
 */
export const costOf = (message: ClientMessage, characters: number, listeners: number): number =>
  perMessage + (characters / 1_000_000) * perMegabyte + rightsOf(message).costMs(message, listeners);

/** Whether somebody who signed in may send this now. */
export const maySend = (message: ClientMessage, standing: Standing): boolean =>
  allHold(rightsOf(message).needs, standing);

/** Handles a message of somebody who signed in, where they may send it now; else does what its row says. */
export async function handled(
  message: ClientMessage,
  standing: Standing,
  handle: () => Promise<void> | void,
): Promise<void> {
  if (maySend(message, standing)) return handle();
  const { otherwise } = rightsOf(message);
  if (otherwise === 'dismiss') dismissed(standing.member.peer);
  else if (otherwise !== 'ignore') send(standing.member, otherwise);
}

/** Sends somebody away for good who asks for what is not theirs. */
export const dismissed = (peer: Pick<Peer, 'dismiss'>): void =>
  peer.dismiss(DisconnectCode.accessDeny, 'access deny');
