import { isXmlText } from '../xml-text.ts';
/**
 * Checks for attribute values. ProseMirror runs them whenever a node or mark is made from JSON, so a value that a
 * docx could not hold never gets into a document. A check throws RangeError.
 */
export type AttributeCheck = (value: unknown) => void;

function refuse(expected: string): never {
  throw new RangeError(`expected ${expected}`);
}

export const flag: AttributeCheck = (value) => {
  if (typeof value !== 'boolean') refuse('true or false');
};

export function text(maxChars: number): AttributeCheck {
  return (value) => {
    if (typeof value !== 'string' || value.length > maxChars || !isXmlText(value)) {
      refuse(`text of at most ${maxChars} characters`);
    }
  };
}

export function matching(pattern: RegExp): AttributeCheck {
  return (value) => {
    if (typeof value !== 'string' || !pattern.test(value)) refuse(`text like ${pattern.source}`);
  };
}

export function integer(min: number, max: number): AttributeCheck {
  return (value) => {
    if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
      refuse(`a whole number from ${min} to ${max}`);
    }
  };
}

export function oneOf(values: readonly string[]): AttributeCheck {
  return (value) => {
    if (!values.includes(value as string)) refuse(`one of ${values.join(', ')}`);
  };
}

export function listOf(item: AttributeCheck, maxItems: number): AttributeCheck {
  return (value) => {
    if (!Array.isArray(value) || value.length > maxItems) return refuse(`a list of at most ${maxItems}`);
    for (const entry of value) item(entry);
  };
}

/** An attribute that may be absent: null unless given. */
export function optional(check: AttributeCheck): { default: null; validate: AttributeCheck } {
  return {
    default: null,
    validate: (value) => {
      if (value !== null) check(value);
    },
  };
}

export function withDefault<T>(value: T, check: AttributeCheck): { default: T; validate: AttributeCheck } {
  return { default: value, validate: check };
}

export function required(check: AttributeCheck): { validate: AttributeCheck } {
  return { validate: check };
}

/** True when the check accepts the value; for readers that meet values of any kind in files. */
export function accepts(check: AttributeCheck, value: unknown): boolean {
  try {
    check(value);
    return true;
  } catch {
    return false;
  }
}
