import { protocolVersion } from '../../client/protocol/version.ts';
import { defaultConfig } from './config.ts';
import { openDocEditor } from './doc-editor.ts';
import { preloadEditors } from './preload.ts';
import { findOwnScript } from './script-address.ts';

const script = findOwnScript();

/** `DocsAPI.DocEditor`, which pages call with and without `new`. */
function DocEditor(placeholderId: string, config: unknown) {
  return openDocEditor(script, placeholderId, config);
}

DocEditor.defaultConfig = defaultConfig;
DocEditor.version = (): string => protocolVersion.version;
DocEditor.warmUp = (elementId: string): void => preloadEditors(script, elementId);

const page = window as unknown as { DocsAPI?: Record<string, unknown> };
page.DocsAPI = Object.assign(page.DocsAPI ?? {}, { DocEditor });

const preloadInto = script?.preloadInto;
if (preloadInto) {
  const preload = (): void => preloadEditors(script, preloadInto);
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', preload);
  else preload();
}
