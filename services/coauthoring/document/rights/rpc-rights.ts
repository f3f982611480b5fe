import { CommandResult } from '../../../../client/protocol/index.ts';
import type { Belief } from './belief.ts';
import type { Condition } from './standing.ts';

/** A call of clients (`rpc`; co-authoring protocol, 13.2). */
export interface RpcRights {
  /** What must hold for who calls, beside having signed in. */
  readonly needs: readonly Condition[];
  /** What anybody else is answered. */
  readonly otherwise: object | null;
  /** What of its fields is believed. */
  readonly fields: Readonly<Record<string, Belief>>;
}

const failed = { code: CommandResult.unknownError, inProgress: false };

/** The rights of every call, by its `type`. */
export const rpcRights = {
  // Links are given by `open`, which asks for the password itself.
  pathurls: { needs: [], otherwise: failed, fields: { data: 'wish' } },
  sendForm: { needs: ['mayChange', 'mayFillIn'], otherwise: failed, fields: { formdata: 'content' } },
  // What may be copied is in the token of the call, not in the session.
  saveRelativeFromChanges: { needs: [], otherwise: failed, fields: { docId: 'signed', token: 'proof' } },
  wopi_RenameFile: { needs: ['isEditor', 'isIn'], otherwise: {}, fields: { name: 'wish' } },
  wopi_RefreshFile: { needs: [], otherwise: null, fields: {} },
} as const satisfies Record<string, RpcRights>;

export type RpcName = keyof typeof rpcRights;

/** Whether this server answers such a call. */
export const isRpc = (name: unknown): name is RpcName =>
  typeof name === 'string' && Object.hasOwn(rpcRights, name);
