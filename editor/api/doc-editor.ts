import { prepareConfig } from './config.ts';
import { copyConfig } from './copy.ts';
import { EmbeddedEditor } from './embedded-editor.ts';
import type { Handlers } from './handler-flags.ts';
import { at } from './json.ts';
import { commandMethods } from './methods.ts';
import { createNotice } from './notice.ts';
import { closeEditor, openEditor } from './opening.ts';
import { refreshedConfig } from './refreshed-config.ts';
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
