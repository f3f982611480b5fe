import type { ReadyConfig } from './config.ts';
import { pageFor } from './editor-pages.ts';
import { at } from './json.ts';
import type { ScriptAddress } from './script-address.ts';
import { say, text } from './texts.ts';

const allowed = [
  'autoplay',
  'camera',
  'microphone',
  'display-capture',
  'clipboard-read',
  'clipboard-write',
  'fullscreen',
];

/** Address of the editor's page. What it needs before it has the configuration is in the query. */
export function frameAddress(script: ScriptAddress, frameEditorId: string, config: ReadyConfig): string {
  const url = new URL(`quire/${pageFor(config.kind)}/index.html`, script.apps);
  const mode = at(config.editorConfig, 'mode');
  const query: Record<string, unknown> = {
    lang: config.lang,
    type: config.type,
    documentType: config.kind,
    fileType: config.document.fileType,
    mode: mode === 'edit' ? undefined : mode,
    uitheme: at(config.editorConfig, 'customization.uiTheme'),
    frameEditorId,
    parentOrigin: window.origin,
    shardkey: script.shardKey,
    WOPISrc: at(config.editorConfig, 'wopi.WOPISrc'),
    usid: at(config.editorConfig, 'wopi.UserSessionId'),
  };
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && value) url.searchParams.set(name, value);
  }
  return url.href;
}

export function createFrame(address: string, config: ReadyConfig): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.name = 'frameEditor';
  frame.title = say(text('frameTitle', { title: String(config.document.title) }), config.lang);
  frame.allow = allowed.join('; ');
  frame.allowFullscreen = true;
  frame.style.border = '0';
  frame.style.width = cssLength(config.width);
  frame.style.height = cssLength(config.height);
  return frame;
}

/** Plain numbers are pixels. */
const cssLength = (size: string | number): string =>
  /^\d+(\.\d+)?$/.test(String(size)) ? `${size}px` : `${size}`;
