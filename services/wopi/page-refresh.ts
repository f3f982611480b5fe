import type { WopiSessionRow } from '../../db/wopi-sessions.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { RefreshedPage, RefreshWish } from '../lifecycle/host-storage.ts';
import { publicInfo } from './file-info.ts';
import { readFileSource } from './file-source.ts';
import { openSession, type PageOpeningDependencies, PageProblem } from './page-opening.ts';
import { readPageQuery } from './page-query.ts';
import { claimsOf, signPage } from './page-session.ts';

export interface PageRefreshDependencies extends PageOpeningDependencies {
  tokens: Tokens;
}

/**
 * Opens the page of a session anew without its host's page: what the host says of the file now, with the lock taken again
 * and a new token. Null when the host refuses the person or does not answer.
 */
export async function refreshPage(
  dependencies: PageRefreshDependencies,
  { source, accessToken, expiresAt }: WopiSessionRow,
  { chat, usid }: RefreshWish,
): Promise<RefreshedPage | null> {
  const query = {
    ...readPageQuery(new Map()),
    ...{ source: readFileSource(source), accessToken, expiresAt, chat, usid },
  };
  try {
    const session = await openSession(dependencies, query, 'word', true);
    const { userAuth } = claimsOf(session);
    return {
      key: session.key,
      token: await signPage(dependencies.tokens, session),
      // What the token says counts; this is what goes into the queries of the editor's requests.
      userAuth: { ...userAuth, userSessionId: usid ?? userAuth.userSessionId },
      fileInfo: publicInfo(session.info),
    };
  } catch (error) {
    if (error instanceof PageProblem) return null;
    throw error;
  }
}
