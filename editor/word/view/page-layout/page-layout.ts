import { computed, effect, signal } from '@preact/signals';
import type { PluginView } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { ZoomByWheel } from '../../../shell/zoom.ts';
import { t } from '../../../strings/strings.ts';
import { listRules } from '../numbering/list-labels.ts';
import { styleRules } from '../style/style-rules.ts';
import type { ViewedDocument } from '../viewed-document.ts';
import { pageGeometry, pageRule, sectionRules } from './geometry.ts';
import { NotesList } from './notes.ts';
import { type PartDrawing, partDom, spreadTabs } from './part-dom.ts';
import { ZoomFit } from './zoom.ts';
import './page-layout.css';
import './print.css';

/** Two documents may be on one page: each has style rules of its own. */
let papers = 0;

/**
 * The paper around the text: its size and margins, the document's styles, header, footer and notes. It takes
 * the view's element into itself; headers and notes stand beside that and cannot be edited.
 */
export class PageLayout implements PluginView {
  readonly notes: NotesList;
  readonly #dom = document.createElement('div');
  readonly #styles = document.createElement('style');
  readonly #wheel: ZoomByWheel;
  readonly #fit: ZoomFit;
  readonly #stop: () => void;

  constructor(view: EditorView, editor: ViewedDocument, drawing: PartDrawing) {
    const { document: json } = editor;
    const name = `paper-${++papers}`;
    const scope = `.${name}`;
    this.notes = new NotesList(view, json, drawing);
    this.#styles.textContent =
      styleRules(json, scope) +
      listRules(json.lists, drawing.lists, scope) +
      sectionRules(json.sections, scope) +
      pageRule(json.sections);
    document.head.append(this.#styles);
    this.#dom.className = `paper ${name}`;
    this.#dom.dir = 'ltr';
    for (const [name, value] of Object.entries(pageGeometry(json.sections)))
      this.#dom.style.setProperty(name, value);
    this.#dom.style.tabSize = `${Math.max(5, json.settings.defaultTabStop / 20)}pt`;
    view.dom.before(this.#dom);
    const first = json.sections[0];
    const last = json.sections.at(-1);
    const header = first?.titlePage ? first.headers.first : (first?.headers.default ?? null);
    const footer = last?.footers.default ?? (last?.titlePage ? last.footers.first : null) ?? null;
    this.#dom.append(
      this.#part('header', header, json.parts, drawing),
      view.dom,
      this.notes.dom,
      this.#part('footer', footer, json.parts, drawing),
    );
    const desk = this.#dom.parentElement!;
    this.#wheel = new ZoomByWheel(desk, editor.zoom);
    this.#fit = new ZoomFit(desk, editor);
    this.#stop = effect(() => {
      this.#dom.style.setProperty('zoom', String(editor.zoom.value));
      this.#dom.classList.toggle('reflow', reflows.value);
    });
  }

  update(): void {
    this.notes.update();
  }

  destroy(): void {
    this.#stop();
    this.#wheel.stop();
    this.#fit.stop();
    this.#styles.remove();
    this.#dom.remove();
  }

  #part(
    kind: 'header' | 'footer',
    index: number | null,
    parts: readonly unknown[],
    drawing: PartDrawing,
  ): HTMLElement {
    const element = document.createElement(kind);
    element.className = `page-part page-${kind}`;
    element.setAttribute('aria-label', t(kind === 'header' ? 'view.header' : 'view.footer'));
    const content = index === null ? null : partDom(parts[index], drawing);
    if (content) {
      spreadTabs(content, drawing.styles);
      element.append(content);
    }
    return element;
  }
}

const phone = matchMedia('(max-width: 28rem)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});
const chosen = signal<boolean | null>(null);

/** The paper is as wide as the window, so that text is read on a phone without moving sideways. */
export const reflows = computed(() => chosen.value ?? isPhone.value);

/** Lets the paper be as wide as the window, or not, for as long as the page lives. */
export function chooseReflow(on: boolean): void {
  chosen.value = on;
}
