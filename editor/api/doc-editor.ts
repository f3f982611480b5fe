import { type CopiedConfig, copyConfig, type Handlers, prepareConfig, refreshedConfig } from './config.ts';
import { badRequest, type Problem } from './config-check.ts';
import { type EditorHost, EmbeddedEditor } from './embedded-editor.ts';
import { at } from './json.ts';
import { commandMethods } from './methods.ts';
import { createNotice } from './notice.ts';
import type { ScriptAddress } from './script-address.ts';
import { say, type Text, text } from './texts.ts';

/**
 * Opens an editor in the place of an element. Never throws: whatever is wrong with the page or its configuration is
 * said in the place of the editor, by `onError` and on the console. Every method may be called at any time.
 */
export function openDocEditor(script: ScriptAddress | null, placeholderId: string, given: unknown) {
  const handlers = handlersOf(given);
  const copied = copyConfig(given);
  const configured = at(copied.config, 'editorConfig.lang');
  const lang = typeof configured === 'string' ? configured : 'en';
  let editor: EmbeddedEditor | null = null;
  let notice: HTMLElement | null = null;
  let closed = false;

  const listensTo = (event: string): boolean =>
    /^on[A-Z]/.test(event) && typeof handlers[event] === 'function';
  const fire = (event: string, data: unknown): void => {
    if (closed || !listensTo(event)) return;
    (handlers[event] as (event: object) => void).call(methods, { target: methods, data });
  };
  const warn = (warning: Text): void => console.warn(`DocsAPI.DocEditor: ${say(warning, lang)}`);
  const report = (problem: Text, errorCode: number): void => {
    const errorDescription = say(problem, lang);
    console.error(`DocsAPI.DocEditor: ${errorDescription}`);
    // Later: the page has not got what this call returns yet.
    setTimeout(() => fire('onError', { errorCode, errorDescription }));
  };

  const methods = {
    ...commandMethods((command, data) => editor?.send(command, data)),
    /** Gives a version of the document that is newer than the open one. */
    refreshFile: (config: unknown): void => {
      const copy = copyConfig(config);
      const whole = editor && !copy.problem ? refreshedConfig(copy.config, editor.openConfig) : copy.config;
      const { ready, problems = [] } = prepareConfig(whole, handlers);
      for (const problem of copy.problem ? [copy.problem] : problems) report(problem.text, problem.errorCode);
      if (ready) editor?.refresh(ready);
    },
    /** Gives the bytes of the document itself. */
    openDocument: (bytes: Uint8Array): void => editor?.sendBytes('openDocumentFromBinary', bytes),
    /** @throws Error always: what connectors do is not in this editor, and a page has to know */
    createConnector: (): never => {
      const link = `${script?.apps ?? ''}quire/api-compatibility.txt`;
      throw new Error(say(text('noConnector', { link }), lang));
    },
    attachMouseEvents: (): void => editor?.mouse.attach(),
    detachMouseEvents: (): void => editor?.mouse.detach(),
    /** Takes the editor out of the page and puts an empty element with the old id in its place. */
    destroyEditor: (): void => {
      closed = true;
      notice?.remove();
      notice = null;
      if (editor) closeEditor(placeholderId, editor);
      editor = null;
    },
  };

  const opened = openEditor(script, placeholderId, copied, handlers, {
    listensTo,
    events: () => Object.keys(handlers).filter(listensTo),
    fire,
    warn,
    report,
  });
  if (opened instanceof EmbeddedEditor) {
    editor = opened;
  } else {
    const reasons = opened.problems.map((problem) => problem.text);
    notice = createNotice(reasons, lang);
    opened.place?.replaceChildren(notice);
    for (const problem of opened.problems) report(problem.text, problem.errorCode);
  }
  return methods;
}

function handlersOf(config: unknown): Handlers {
  const events = (config as { events?: unknown } | null | undefined)?.events;
  return typeof events === 'object' && events !== null ? (events as Handlers) : {};
}

/** No editor was opened; `place` is the element where one was to be. */
interface Refusal {
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
function openEditor(
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
function closeEditor(placeholderId: string, editor: EmbeddedEditor): void {
  const replacement = document.createElement('div');
  replacement.id = placeholderId;
  editor.close(replacement);
  if (editors.get(placeholderId) === editor) editors.delete(placeholderId);
}
