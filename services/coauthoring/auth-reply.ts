import {
  LicenseResult,
  limitsImageSizeBytes,
  limitsImageTypesUpload,
  websocketMaxPayloadSize,
} from '../../client/protocol/index.ts';
import { type AnnouncedVersion, versionFields } from '../http/announced-version.ts';
import type { JoinRequest, SharedState } from './document/joining.ts';
import { storedMessage } from './document/log-end.ts';
import { followsChanges, type Member } from './document/member.ts';

/** Makes the `auth` reply when it is sent; the token is signed then rather than kept for as long as the connection. */
export function welcomeOf(
  member: Member,
  {
    restored,
    hasForgotten,
    announced,
    maxChangesBytes,
  }: { restored: boolean; hasForgotten: boolean; announced: AnnouncedVersion; maxChangesBytes: number },
  sign: () => Promise<string>,
): JoinRequest['welcome'] {
  return async (shared) => {
    const jwt = restored ? undefined : await sign();
    return authReply(member, shared, { jwt, hasForgotten, announced, maxChangesBytes });
  };
}

/** The `auth` reply (co-authoring protocol, 8.7). */
function authReply(
  member: Member,
  shared: SharedState,
  own: {
    jwt: string | undefined;
    hasForgotten: boolean;
    announced: AnnouncedVersion;
    maxChangesBytes: number;
  },
) {
  return {
    type: 'auth' as const,
    result: 1,
    sessionId: member.sessionId,
    sessionTimeConnect: member.sessionTimeConnectMs,
    ...(member.state === 'closed' ? {} : { participants: shared.participants }),
    ...(shared.messages ? { messages: shared.messages } : {}),
    locks: shared.locks,
    indexUser: member.userIndex,
    ...(own.hasForgotten ? { hasForgotten: true } : {}),
    ...(own.jwt === undefined ? {} : { jwt: own.jwt }),
    g_cAscSpellCheckUrl: '',
    ...versionFields(own.announced),
    licenseType: LicenseResult.success,
    settings: {
      spellcheckerUrl: '',
      reconnection: { attempts: 50, delay: 2_000 },
      binaryChanges: false,
      websocketMaxPayloadSize,
      maxChangesSize: own.maxChangesBytes,
      limits_image_size: limitsImageSizeBytes,
      limits_image_types_upload: limitsImageTypesUpload,
    },
    ...(member.author.stamp ? { quireAuthor: member.author.stamp } : {}),
    ...(followsChanges(member) ? { quireSyncIndex: shared.endIndex } : {}),
    quireStored: storedMessage(shared.stored),
  };
}
