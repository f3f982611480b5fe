import type { Tokens } from '../../secrets/tokens.ts';
import type { Member } from '../document/member.ts';

/**
 * A session token: with it a client comes back after a lost connection, and authorises its uploads and downloads. It
 * holds no session id; that is a secret of its own.
 */
export function signSessionToken(
  tokens: Tokens,
  key: string,
  member: Member,
  permissions: object | null | undefined,
): Promise<string> {
  return tokens.signSession({
    document: {
      key,
      ...(permissions ? { permissions } : {}),
      ds_encrypted: member.encrypted === true,
    },
    editorConfig: {
      user: { id: member.author.userId, name: member.author.name, index: member.userIndex },
      ...(member.view ? { coEditing: { mode: member.live ? 'fast' : 'strict' } } : {}),
      ds_denyChangeName: member.nameIsFixed,
      ds_isEnterCorrectPassword: member.knowsPassword,
      ds_isCloseCoAuthoring: member.state === 'closed',
      ds_sessionTimeConnect: member.sessionTimeConnectMs,
    },
  });
}
