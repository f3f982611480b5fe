import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentSummary, Person } from '../../../example/api.ts';
import { Button } from '../../kit/button.tsx';
import { languageTag } from '../../page/language.ts';
import { t } from '../../strings/strings.ts';
import { themeChoice } from '../../theme/theme.ts';
import { server } from '../server.ts';
import { editorScript } from '../settings.ts';
import { AccountMenu } from '../shell/accounts.tsx';
import { roleText } from '../shell/roles.ts';
import { closed } from './closing.ts';
import { type DocEditor, loadDocsApi } from './docs-api.ts';
import { editorEvents } from './editor-events.ts';
import './editor-frame.css';

interface EditorPaneProps {
  document: DocumentSummary;
  person: Person;
  version: number | null;
  /** Whether the pane says whose it is: it is one of two. */
  hasStrip: boolean;
  onPerson: (id: string) => void;
}

/** An editor, with the account it is opened as above it where there are two. */
export function EditorPane({ document, person, version, hasStrip, onPerson }: EditorPaneProps) {
  const { id, title } = document;
  const { name, role } = person;
  return (
    <section class="pane" aria-label={t('example.editorOf', { title, name })}>
      {hasStrip && (
        <div class="pane-strip" style={{ borderColor: person.colour }}>
          <AccountMenu
            person={person}
            label={t('example.paneAccount', { name, role: roleText(role) })}
            onChoose={onPerson}
          />
        </div>
      )}
      <EditorFrame
        documentId={id}
        person={person}
        version={version}
        isBeside={hasStrip}
        label={t('example.editorOf', { title, name })}
      />
    </section>
  );
}

const themes = {
  system: 'theme-system',
  light: 'theme-light',
  dark: 'theme-dark',
  contrast: 'theme-contrast-dark',
} as const;

interface EditorFrameProps {
  documentId: string;
  person: Person;
  /** What the frame is called for those who do not see it. */
  label: string;
  /** An earlier version, only to look at. */
  version: number | null;
  /** Whether it shares the window with another: its page is made to fit. */
  isBeside: boolean;
}

let lastPlace = 0;

/** The document server's editor, opened as one account. It is opened again when any of that changes. */
function EditorFrame({ documentId, person, label, version, isBeside }: EditorFrameProps) {
  const holder = useRef<HTMLDivElement>(null);
  // How often it was opened, and how: another number makes another editor.
  const [opening, setOpening] = useState<{ attempt: number; mode: 'edit' | 'view' }>({
    attempt: 0,
    mode: 'edit',
  });
  const [problem, setProblem] = useState<string | null>(null);
  const { mode } = opening;

  useEffect(() => {
    let editor: DocEditor | null = null;
    let left = false;
    const freshConfig = () =>
      server.config(documentId, {
        as: person.id,
        mode,
        lang: languageTag(),
        theme: themes[themeChoice.peek()],
        ...(version !== null && { version: String(version) }),
        ...(isBeside && { fit: 'width' }),
      });
    const reopen = (next: 'edit' | 'view') => {
      if (!left) setOpening(({ attempt }) => ({ attempt: attempt + 1, mode: next }));
    };
    const open = async () => {
      const [docsApi, config] = await Promise.all([loadDocsApi(editorScript()), freshConfig()]);
      if (left) return;
      const place = document.createElement('div');
      lastPlace += 1;
      place.id = `editor-${lastPlace}`;
      holder.current!.replaceChildren(place);
      const context = { documentId, person, mode, editor: () => editor, freshConfig, reopen };
      const events = editorEvents(context);
      editor = new docsApi.DocEditor(place.id, { ...config, width: '100%', height: '100%', events });
      holder.current!.querySelector('iframe')?.setAttribute('title', label);
    };
    setProblem(null);
    open().catch((error: unknown) => {
      if (!left) setProblem(error instanceof Error ? error.message : String(error));
    });
    return () => {
      left = true;
      if (!editor) return;
      closed(editor);
      editor.destroyEditor();
    };
  }, [documentId, person, mode, version, opening.attempt]);

  return (
    <div class="editor-frame">
      <div ref={holder} class="editor-holder" hidden={problem !== null} />
      {problem !== null && (
        <div class="editor-problem" role="alert">
          <h2>{t('example.editorMissing')}</h2>
          <p>{t('example.editorMissingText')}</p>
          <Button onClick={() => setOpening(({ attempt }) => ({ attempt: attempt + 1, mode }))}>
            {t('common.retry')}
          </Button>
        </div>
      )}
    </div>
  );
}
