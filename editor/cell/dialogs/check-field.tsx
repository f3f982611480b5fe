interface CheckFieldProps {
  label: string;
  /** Its name in the form. */
  name: string;
  /** Whether it is ticked at first. */
  isOn?: boolean;
}

/** A box to tick, before its label. */
export function CheckField({ label, name, isOn = false }: CheckFieldProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      {label}
    </label>
  );
}
