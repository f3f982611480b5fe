import './form.css';

interface SelectFieldProps<Value extends string> {
  label: string;
  /** The values with their texts. */
  options: readonly (readonly [value: Value, text: string])[];
  /** Its name in the form, for a choice that nothing but the form asks for. */
  name?: string;
  /** What such a choice begins with: the first unless given. */
  first?: string | undefined;
  /** The choice, where it is followed; `onChoose` tells of another one. */
  value?: Value;
  onChoose?: (value: Value) => void;
  /** Has the focus when its dialog opens. */
  'data-first'?: boolean;
  /** So many options are seen at once. */
  size?: number;
}

/** A choice out of a list, below its label. */
export function SelectField<Value extends string>({
  label,
  options,
  first,
  onChoose,
  ...select
}: SelectFieldProps<Value>) {
  return (
    <label class="field">
      {label}
      <select {...select} onChange={(event) => onChoose?.(event.currentTarget.value as Value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === first}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
