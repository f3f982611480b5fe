import { type OpenCommand, ServiceError } from '../../../../client/protocol/index.ts';
import type { Beliefs } from './belief.ts';
import type { Condition } from './standing.ts';

/** What clients have done to the file of their document, by `auth.openCmd` and `openDocument`. */
export interface CommandRights {
  /** What must hold for who asks, beside having signed in. */
  readonly needs: readonly Condition[];
  /** What anybody else is answered; where nobody is refused, none. */
  readonly refusal?: ServiceError;
  /** About what it costs, for so many things that it names, milliseconds of the event loop. */
  readonly costMs: (count: number) => number;
}

const perCommand = 2;
const perPath = 0.02;
const perPicture = 5;
const pathsCost = (count: number): number => perCommand + count * perPath;
const picturesCost = (count: number): number => perCommand + count * perPicture;

export type CommandName =
  | 'open'
  | 'reopen'
  | 'pathurl'
  | 'pathurls'
  | 'imgurl'
  | 'imgurls'
  | 'linkedvalues'
  | 'changedocinfo'
  | 'setpassword';

const forPictures = ['isEditor', 'seesContent', 'mayAddPictures', 'isOpen'] as const;

/**
 * The rights of every command, by its name `c`. What a document holds is given by `open` itself only to who has given the password of one
 * that is protected.
 */
export const commandRights: Readonly<Record<CommandName, CommandRights>> = {
  open: { needs: [], costMs: pathsCost },
  reopen: { needs: [], costMs: pathsCost },
  pathurl: { needs: [], costMs: pathsCost },
  pathurls: { needs: [], costMs: pathsCost },
  imgurl: { needs: forPictures, refusal: ServiceError.upload, costMs: picturesCost },
  imgurls: { needs: forPictures, refusal: ServiceError.upload, costMs: picturesCost },
  linkedvalues: {
    needs: ['isEditor', 'seesContent', 'isOpen'],
    refusal: ServiceError.verificationKey,
    costMs: pathsCost,
  },
  changedocinfo: {
    needs: ['isIn', 'mayBeRenamed'],
    refusal: ServiceError.changeDocInfo,
    costMs: pathsCost,
  },
  // Files are not protected here, and the license says so: everybody is answered that it was not done.
  setpassword: { needs: [], costMs: pathsCost },
};

/** Whether this server has such a command. */
export const isCommand = (name: string): name is CommandName => Object.hasOwn(commandRights, name);

/** What of a command is believed. */
export const commandFields: Beliefs<OpenCommand> = {
  c: 'wish',
  id: 'unread',
  userid: 'unread',
  format: 'signed',
  url: 'signed',
  title: 'signed',
  lcid: 'unread',
  nobase64: 'unread',
  outputformat: 'unread',
  convertToOrigin: 'unread',
  password: 'proof',
  savepassword: 'unread',
  codepage: 'wish',
  delimiter: 'wish',
  delimiterChar: 'wish',
  data: 'wish',
  savetype: 'unread',
  saveindex: 'unread',
  savekey: 'unread',
  username: 'wish',
  userconnectionid: 'unread',
  tokenDownload: 'proof',
  tokenSession: 'unread',
  serverVersion: 'unread',
  isSaveAs: 'unread',
  saveAsPath: 'unread',
  oformAsPdf: 'unread',
  inline: 'unread',
  withoutPassword: 'unread',
  jsonparams: 'unread',
  model: 'wish',
  takesText: 'wish',
};

/** About what a command costs, milliseconds of the event loop. */
export function costOfCommand({ c, data }: OpenCommand): number {
  const count = Array.isArray(data) ? data.length : 1;
  return isCommand(c) ? commandRights[c].costMs(count) : perCommand;
}
