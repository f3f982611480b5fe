import type { DocumentAuth } from '../../client/options.ts';
import { kinds } from '../../model/kinds.ts';
import type { FrameConfig } from './frame-config.ts';
import { roleOf } from './role.ts';
import { joinUserName } from './user-name.ts';

/**
 * What `DocumentClient` tells the server about the person and the document. Permissions, mode and address for
 * callbacks are sent as they came and only if they came: the server compares them with the token (12.3).
 */
export function documentAuthOf(config: FrameConfig): DocumentAuth {
  const { document, editorConfig, givenPermissions, type } = config;
  const { user, callbackUrl, coEditing, lang, customization, quireStoreWithinS } = editorConfig;
  const { role, liveViewer } = roleOf(config);
  const mode = type === 'embedded' ? 'view' : editorConfig.mode;
  return {
    user: { id: user.id, username: joinUserName(user.group, user.name) },
    editorType: kinds.named(config.documentType)!.editorType,
    coEditingMode: coEditingMode(),
    lang,
    timezoneOffset: new Date().getTimezoneOffset(),
    openCmd: { format: document.fileType, url: document.url, title: document.title },
    ...(givenPermissions && { permissions: givenPermissions }),
    ...(mode !== undefined && { mode }),
    ...(callbackUrl !== undefined && { documentCallbackUrl: callbackUrl }),
    ...(quireStoreWithinS !== undefined && { quireStoreWithinS }),
  };

  /** Without saving by itself there is only saving by the person, which is what strict means. */
  function coEditingMode(): 'fast' | 'strict' {
    if (role === 'view') return liveViewer ? coEditing.mode : 'strict';
    return customization.autosave ? coEditing.mode : 'strict';
  }
}
