import './form.css';

/** What is wrong with what was filled in; read aloud when it comes. @param id for a field that it describes */
export function FieldError({ id, text }: { id?: string; text: string | null }) {
  return (
    <p id={id} class="field-error" role="alert">
      {text ?? ''}
    </p>
  );
}
