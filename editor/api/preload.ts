import type { ScriptAddress } from './script-address.ts';

/** Puts an invisible frame into an element, whose page has the browser fetch the editors before they are needed. */
export function preloadEditors(script: ScriptAddress | null, elementId: string): void {
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
