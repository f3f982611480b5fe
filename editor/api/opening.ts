import { prepareConfig } from './config.ts';
import { badRequest, type Problem } from './config-check.ts';
import { type EditorHost, EmbeddedEditor } from './embedded-editor.ts';
import type { Handlers } from './handler-flags.ts';
import type { JsonObject } from './json.ts';
import type { ScriptAddress } from './script-address.ts';
import { type Text, text } from './texts.ts';

/** A page's configuration without its functions, or why there is none. */
export interface CopiedConfig {
  config: JsonObject;
  problem?: Problem;
}

/** No editor was opened; `place` is the element where one was to be. */
export interface Refusal {
  problems: readonly Problem[];
  place: HTMLElement | null;
}

/** Editors by the id of the element whose place they took. */
const editors = new Map<string, EmbeddedEditor>();

const refusal = (reason: Text, place: HTMLElement | null = null): Refusal => ({
  problems: [{ text: reason, errorCode: badRequest }],
  place,
});

/** Puts an editor in the place of the element with this id. */
export function openEditor(
  script: ScriptAddress | null,
  placeholderId: string,
  copied: CopiedConfig,
  handlers: Handlers,
  host: EditorHost,
): EmbeddedEditor | Refusal {
  const former = editors.get(placeholderId);
  if (former?.isInPage) return refusal(text('occupied', { id: placeholderId }));
  // A page that throws the element away without destroyEditor leaves the listeners behind.
  if (former) closeEditor(placeholderId, former);
  const place = document.getElementById(placeholderId);
  if (!place) return refusal(text('noPlaceholder', { id: String(placeholderId) }));
  if (!script) return refusal(text('noScript'), place);
  if (copied.problem) return { problems: [copied.problem], place };
  const { ready, problems, warnings } = prepareConfig(copied.config, handlers);
  for (const warning of warnings) host.warn(warning);
  if (!ready) return { problems, place };
  const editor = new EmbeddedEditor(script, place, ready, host);
  editors.set(placeholderId, editor);
  return editor;
}

/** Puts an empty element with the old id in the place of an editor. */
export function closeEditor(placeholderId: string, editor: EmbeddedEditor): void {
  const replacement = document.createElement('div');
  replacement.id = placeholderId;
  editor.close(replacement);
  if (editors.get(placeholderId) === editor) editors.delete(placeholderId);
}
