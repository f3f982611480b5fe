import { protocolVersion } from '../../client/protocol/version.ts';
import { defaultConfig } from './config.ts';
import { openDocEditor } from './doc-editor.ts';
import { findOwnScript, type ScriptAddress } from './script-address.ts';

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

/** Puts an invisible frame into an element, whose page has the browser fetch the editors before they are needed. */
function preloadEditors(script: ScriptAddress | null, elementId: string): void {
  const place = document.getElementById(elementId);
  if (!script || !place) return;
  const frame = document.createElement('iframe');
  frame.src = `${script.apps}quire/preload/index.html`;
  frame.width = frame.height = '0';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  Object.assign(frame.style, { position: 'absolute', border: '0', visibility: 'hidden' });
  place.append(frame);
}
