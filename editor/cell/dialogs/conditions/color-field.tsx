interface ColorFieldProps {
  name: string;
  label: string;
  color: string;
  /** With a box to tick, whether it is; without, the colour always counts. */
  isOn?: boolean;
}

/** A colour of a form. */
export function ColorField({ name, label, color, isOn }: ColorFieldProps) {
  return (
    <span class="color-field">
      {isOn !== undefined && (
        <input type="checkbox" name={`${name}On`} aria-label={label} defaultChecked={isOn} />
      )}
      <label>
        <input type="color" name={name} defaultValue={color} />
        {label}
      </label>
    </span>
  );
}
