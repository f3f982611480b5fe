import type { JSX } from 'preact';
import './form.css';

interface InputFieldProps extends Omit<JSX.IntrinsicElements['input'], 'label'> {
  label: string;
  /** Has the focus when its dialog opens. */
  'data-first'?: boolean;
}

/** A field to type in, below its label. */
export function InputField({ label, ...input }: InputFieldProps) {
  return (
    <label class="field">
      {label}
      <input {...input} />
    </label>
  );
}
