import type { Request, Response, Router } from 'express';
import type { WopiSessionRow } from '../../db/wopi-sessions.ts';
import { type KindName, kindNames } from '../../model/kinds.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { baseUrl } from '../http/base-url.ts';
import { Routes } from '../http/routes.ts';
import type { RefreshedPage, RefreshWish } from '../lifecycle/host-storage.ts';
import { publicInfo } from './file-info.ts';
import { readFileSource } from './file-source.ts';
import { fieldsOf } from './form-fields.ts';
import { openSession, type PageOpeningDependencies, PageProblem } from './page-opening.ts';
import { readPageQuery } from './page-query.ts';
import { claimsOf, editorConfigOf, type PageSession, signPage, titleOf } from './page-session.ts';
import type { PageShell } from './page-shell.ts';

export interface HostPageDependencies extends PageOpeningDependencies {
  tokens: Tokens;
  shell: PageShell;
  /** Editors of others are in the place of ours. */
  hasOtherEditors: boolean;
}

const editModes = new Set(['edit', 'mobileedit', 'editnew', 'formsubmit']);
const root = '../../../';

/** `GET` and `POST /hosting/wopi/{kind}/{mode}`: the page that a host frames (integration API, 13.2). */
export function hostPageRouter(dependencies: HostPageDependencies): Router {
  const { shell } = dependencies;
  const open = async (request: Request, response: Response): Promise<void> => {
    const { kind, mode } = request.params as { kind: string; mode: string };
    if (!(kindNames as readonly string[]).includes(kind)) return void response.status(404).end();
    const query = readPageQuery(await fieldsOf(request));
    const named = mode.toLowerCase();
    const asked = { ...query, ...(named === 'embedview' ? { type: 'embedded' as const } : {}) };
    try {
      const session = await openSession(dependencies, asked, kind as KindName, editModes.has(named));
      await sendPage(dependencies, request, response, session);
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      shell.sendProblem(response, error.code, query.lang, root, error.detail);
    }
  };
  const routes = new Routes({ bodies: dependencies.bodies });
  return routes.on('GET /hosting/wopi/:kind/:mode', open).on('POST /hosting/wopi/:kind/:mode', open).router;
}

async function sendPage(
  { config, tokens, shell, hasOtherEditors }: HostPageDependencies,
  request: Request,
  response: Response,
  session: PageSession,
): Promise<void> {
  const { info, query } = session;
  const token = await signPage(tokens, session);
  const base = baseUrl(request, config);
  shell.send(response, {
    title: titleOf(info),
    lang: query.lang,
    root,
    token,
    data: {
      keyData: session.key,
      fileInfoJsonData: JSON.stringify(publicInfo(info)),
      userAuthJsonData: JSON.stringify(claimsOf(session).userAuth),
      configJsonData: JSON.stringify(editorConfigOf(session, token, base)),
      // Editors of others rename the file by themselves.
      renamesData: hasOtherEditors ? 'editor' : 'page',
    },
  });
}

interface PageRefreshDependencies extends PageOpeningDependencies {
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
