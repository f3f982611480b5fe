import type { ComponentChildren, ComponentType } from 'preact';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { MenuEntry } from '../../kit/menu.tsx';
import { type BarMenu, MenuBar } from '../bars/menu-bar.tsx';
import { CoeditingTitleBar, CompactBar } from '../bars/title-bar.tsx';
import { ReadingBar } from '../host/reading-bar.tsx';
import type { CoeditedEditor } from './coedited-editor.ts';

interface Part<E> {
  readonly editor: E;
}

interface Surrounding<E> extends Part<E> {
  /** Of the page; the document may be another one that is shown in the place of its own. */
  readonly type: FrameConfig['type'];
}

/** What a kind has on its page. */
export interface KindParts<E> {
  /** The buttons that format. */
  readonly Tools: ComponentType<Part<E>>;
  /** Below the bars, where there is such a thing. */
  readonly Head?: ComponentType<Surrounding<E>>;
  /** The document itself; it is there, but hidden, while another one is shown in its place. */
  readonly Desk: ComponentType<Part<E> & { readonly hidden?: boolean }>;
  readonly Panel: ComponentType<Part<E> & { readonly onClose: () => void }>;
  readonly Foot: ComponentType<Surrounding<E>>;
  readonly Dialogs: ComponentType<Part<E>>;
  readonly Zoom: ComponentType<Part<E>>;
  /** The menus of the menu bar, and the one of a phone. */
  readonly menus: (editor: E) => readonly BarMenu[];
  readonly compactMenu: (editor: E) => readonly MenuEntry[];
  /** The bar by which the document is searched. */
  readonly Find: ComponentType<Part<E> & { readonly onClose: () => void }>;
  /** Which of the two is searched while another document is shown in the place of the own one. */
  readonly searched: (own: E, shown: E) => E;
}

interface CoeditedAppProps<E> extends Part<E> {
  readonly parts: KindParts<E>;
  /** What lies over the page. */
  readonly children?: ComponentChildren;
}

/** A document that people edit together on the page, with everything around it. */
export function CoeditedApp<E extends CoeditedEditor<E>>({ editor, parts, children }: CoeditedAppProps<E>) {
  const { Head, Find, Desk, Foot, Dialogs } = parts;
  const version = editor.history.shown.value ?? editor.comparison.shown.value;
  const shown: E = version?.editor ?? editor;
  const { type, editorConfig } = editor.config;
  const barBelow = type === 'embedded' && editorConfig.embedded.toolbarDocked === 'bottom';
  const searched = parts.searched(editor, shown);
  const closeDialog = () => {
    editor.dialog.value = null;
  };
  return (
    <div class={`app ${barBelow ? 'app-bar-below' : ''}`}>
      <header>
        <Bars editor={editor} parts={parts} isReading={version !== null} />
        {editor.dialog.value === 'find' && (
          <Find key={searched.session.clientId} editor={searched} onClose={closeDialog} />
        )}
        {Head && <Head key={shown.session.clientId} editor={shown} type={type} />}
      </header>
      <div class="workspace">
        <Desk key={editor.session.clientId} editor={editor} hidden={shown !== editor} />
        {version?.editor && <Desk key={version.editor.session.clientId} editor={version.editor} />}
        <PanelPlace editor={editor} parts={parts} />
      </div>
      <Foot key={shown.session.clientId} editor={shown} type={type} />
      <Dialogs editor={shown} />
      {children}
    </div>
  );
}

interface Shared<E> extends Part<E> {
  readonly parts: KindParts<E>;
}

/**
 * What stands above the document: everything, little on a phone, or only what a reader needs. Nothing that changes the
 * document while an older version of it is shown.
 */
function Bars<E extends CoeditedEditor<E>>({ editor, parts, isReading }: Shared<E> & { isReading: boolean }) {
  const { Tools, Zoom, menus, compactMenu } = parts;
  const { role, toolbarShown } = editor;
  const tools = role.canEdit && toolbarShown.value && !isReading && <Tools editor={editor} />;
  switch (editor.config.type) {
    case 'embedded':
      return (
        <ReadingBar open={editor}>
          <Zoom editor={editor} />
        </ReadingBar>
      );
    case 'mobile':
      return (
        <>
          <CompactBar editor={editor} entries={() => compactMenu(editor)} />
          {tools}
        </>
      );
    case 'desktop':
      return (
        <>
          <CoeditingTitleBar editor={editor} />
          {!isReading && <MenuBar editor={editor} menus={menus(editor)} />}
          {tools}
        </>
      );
  }
}

function PanelPlace<E extends CoeditedEditor<E>>({ editor, parts: { Panel } }: Shared<E>) {
  if (editor.panel.value === null) return null;
  const close = () => {
    editor.panel.value = null;
  };
  return <Panel editor={editor} onClose={close} />;
}
