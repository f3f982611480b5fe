import * as z from 'zod/mini';

/**
 * The paths of everything that a schema of `fields.ts` reads, those of objects and lists included, such as
 * `editorConfig.recent`, `editorConfig.recent[]` and `editorConfig.recent[].url`.
 */
export function optionPaths(schema: Schema, path: string): string[] {
  const { innerType, in: first, out, element, options, shape } = inside(schema);
  switch (typeOf(schema)) {
    case 'catch':
    case 'optional':
      return optionPaths(innerType, path);
    case 'pipe': {
      const within = optionPaths(out, path);
      return within.length > 1 ? within : optionPaths(first, path);
    }
    case 'object':
      return [
        path,
        ...Object.entries(shape).flatMap(([name, field]) => optionPaths(field, `${path}.${name}`)),
      ];
    case 'array':
      return [path, ...optionPaths(element, `${path}[]`)];
    case 'union':
      return optionPaths(options[0]!, path);
    default:
      return [path];
  }
}

/** A part of what the page sent that is not what it must be. */
export interface WrongPart {
  /** As in `editorConfig.recent[2].url`. */
  readonly path: string;
  readonly value: unknown;
  /** The entry of a list that is left out for it; null if only this part counts as absent. */
  readonly leftOut: string | null;
}

/** As much of a schema as tells what it is made of; the part of Zod that is for libraries. */
type Schema = z.core.$ZodType;
interface Inner {
  readonly innerType: Schema;
  readonly in: Schema;
  readonly out: Schema;
  readonly element: Schema;
  readonly options: readonly Schema[];
  readonly shape: Readonly<Record<string, Schema>>;
}
const typeOf = (schema: Schema): string => schema._zod.def.type;
const inside = (schema: Schema): Inner => schema._zod.def as unknown as Inner;

/** Absent: the default stands for it, and nobody has meant anything else. PHP writes no members as an empty list. */
const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What of a value the fields of a schema (`fields.ts`) take for absent because of its type. */
export function wrongPartsOf(schema: Schema, value: unknown, path: string): WrongPart[] {
  if (isAbsent(value)) return [];
  const type = typeOf(schema);
  const { innerType, in: first, out, element, shape } = inside(schema);
  const wrong: WrongPart[] = [{ path, value, leftOut: null }];
  if (type === 'catch' || type === 'optional') return wrongPartsOf(innerType, value, path);
  if (type === 'pipe' && isContainer(schema)) {
    const read = z.core.safeParse(first, value);
    return [
      ...wrongPartsOf(first, value, path),
      ...(read.success && isContainer(out) ? wrongPartsOf(out, read.data, path) : []),
    ];
  }
  if (type === 'object') {
    if (typeof value !== 'object' || Array.isArray(value)) return wrong;
    const given = value as Readonly<Record<string, unknown>>;
    return Object.entries(shape).flatMap(([name, field]) =>
      wrongPartsOf(field, given[name], `${path}.${name}`),
    );
  }
  if (type === 'array') {
    if (!Array.isArray(value)) return wrong;
    return value.flatMap((entry: unknown, index) => wrongInEntry(element, entry, `${path}[${index}]`));
  }
  return z.core.safeParse(schema, value).success ? [] : wrong;
}

/** Entries are read by their own schema or, if that does not take them, left out. */
function wrongInEntry(element: Schema, entry: unknown, path: string): WrongPart[] {
  const item = inside(element).options[0]!;
  const read = z.core.safeParse(item, entry);
  if (read.success) return wrongPartsOf(item, entry, path);
  const names = read.error.issues[0]?.path ?? [];
  const value = names.reduce<unknown>(
    (object, name) => (object as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name],
    entry,
  );
  return [{ path: [path, ...names.map(String)].join('.'), value, leftOut: path }];
}

/** Whether a schema has fields or entries of its own, of which one may be wrong without the others. */
function isContainer(schema: Schema): boolean {
  const type = typeOf(schema);
  const { innerType, in: first, out } = inside(schema);
  if (type === 'catch' || type === 'optional') return isContainer(innerType);
  if (type === 'pipe') return isContainer(first) || isContainer(out);
  return type === 'object' || type === 'array';
}
