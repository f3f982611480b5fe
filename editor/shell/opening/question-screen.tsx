import type { ComponentChildren } from 'preact';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { EncodingQuestion } from './encoding-question.tsx';
import type { OpeningAnswers, OpeningQuestion } from './opening.ts';
import './question.css';

interface Asked {
  title: string;
  /** Language of the interface, as a tag. */
  lang: string;
  onAnswer: (answers: OpeningAnswers) => void;
}

export interface QuestionScreenProps extends Asked {
  question: OpeningQuestion;
}

/** Asks for what a file does not say itself. */
export function QuestionScreen({ question, ...asked }: QuestionScreenProps) {
  return question.kind === 'password' ? (
    <PasswordQuestion {...asked} isWrong={question.isWrong} />
  ) : (
    <Question title={asked.title} onSubmit={(fields) => asked.onAnswer(answersIn(fields))}>
      <EncodingQuestion lang={asked.lang} source={question.source} isTable={question.isTable} />
    </Question>
  );
}

/** What was chosen of a text's encoding, and of its delimiter where that is asked for. */
function answersIn(fields: FormData): OpeningAnswers {
  const delimiterChar = fields.get('delimiter');
  return {
    codepage: Number(fields.get('encoding')),
    ...(typeof delimiterChar === 'string' && { delimiterChar }),
  };
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
