import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { textEncodings, usualEncoding } from './encodings.ts';
import type { OpeningAnswers, OpeningQuestion } from './opening.ts';
import './question.css';

/** So much of a text is shown in the encoding that is chosen, bytes. */
const previewBytes = 2_000;

interface Asked {
  title: string;
  /** Language of the interface, as a tag. */
  lang: string;
  onAnswer: (answers: OpeningAnswers) => void;
}

/** Asks for what a file does not say itself. */
export function QuestionScreen({ question, ...asked }: Asked & { question: OpeningQuestion }) {
  return question.kind === 'password' ? (
    <PasswordQuestion {...asked} isWrong={question.isWrong} />
  ) : (
    <EncodingQuestion {...asked} source={question.source} />
  );
}

/** The page is in a frame, where browsers ignore `autofocus`. */
const focus = (field: HTMLElement | null) => field?.focus();

function PasswordQuestion({ title, isWrong, onAnswer }: Asked & { isWrong: boolean }) {
  return (
    <Question title={title} onSubmit={(fields) => onAnswer({ password: String(fields.get('password')) })}>
      <p role={isWrong ? 'alert' : undefined}>
        {t(isWrong ? 'frame.wrongPassword' : 'frame.passwordNeeded')}
      </p>
      <label class="field">
        {t('page.password')}
        <input name="password" type="password" required maxLength={255} autocomplete="off" ref={focus} />
      </label>
    </Question>
  );
}

function EncodingQuestion({ title, lang, source, onAnswer }: Asked & { source: string }) {
  const [chosen, choose] = useState(() => usualEncoding(lang));
  const [bytes, setBytes] = useState<ArrayBuffer | null>(null);
  useEffect(() => {
    fetch(source)
      .then((response) => response.arrayBuffer())
      .then((all) => setBytes(all.slice(0, previewBytes)))
      .catch(() => setBytes(null));
  }, [source]);
  const scripts = new Intl.DisplayNames([lang, 'en'], { type: 'script' });
  return (
    <Question title={title} onSubmit={() => onAnswer({ codepage: chosen.number })}>
      <p>{t('page.encodingUnknown')}</p>
      <label class="field">
        {t('page.encoding')}
        <select
          value={chosen.label}
          onChange={({ currentTarget }) =>
            choose(textEncodings.find(({ label }) => label === currentTarget.value) ?? chosen)
          }
        >
          {textEncodings.map(({ label, script }) => (
            <option key={label} value={label}>
              {`${scripts.of(script)} – ${label}`}
            </option>
          ))}
        </select>
      </label>
      {bytes && (
        <pre class="question-preview" dir="auto" aria-label={t('page.encodingPreview')} aria-live="polite">
          {new TextDecoder(chosen.label).decode(bytes)}
        </pre>
      )}
    </Question>
  );
}

function Question({
  title,
  onSubmit,
  children,
}: {
  title: string;
  onSubmit: (fields: FormData) => void;
  children: ComponentChildren;
}) {
  return (
    <main class="screen">
      <h1 dir="auto">{title}</h1>
      <form
        class="form question"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
        <Button kind="primary" type="submit">
          {t('page.openFile')}
        </Button>
      </form>
    </main>
  );
}
