import { useId, useRef, useState } from 'preact/hooks';

interface DraftFieldProps {
  readonly label: string;
  readonly value: string;
  /** Takes what was typed; says why it cannot be. */
  readonly onEnter: (typed: string) => string | null;
  readonly isNumber?: boolean;
  readonly placeholder?: string;
}

/** A field whose text counts when it is left, or with Enter; Escape puts back what was there. What others change is shown at once. */
export function DraftField({ label, value, onEnter, isNumber = false, placeholder }: DraftFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const problemId = useId();
  const input = useRef<HTMLInputElement>(null);
  const enter = () => {
    if (draft === null) return;
    const refused = draft === value ? null : onEnter(draft);
    setProblem(refused);
    if (refused === null) setDraft(null);
  };
  return (
    <label class="field">
      {label}
      <input
        ref={input}
        value={draft ?? value}
        inputMode={isNumber ? 'decimal' : undefined}
        placeholder={placeholder}
        spellcheck={false}
        dir="auto"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={enter}
        onKeyDown={(event) => {
          if (event.key === 'Enter') enter();
          else if (event.key === 'Escape' && draft !== null) {
            event.stopPropagation();
            setDraft(null);
            setProblem(null);
          }
        }}
      />
      {problem !== null && (
        <span id={problemId} class="field-error" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}
