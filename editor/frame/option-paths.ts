import { inside, type Schema, typeOf } from './wrong-parts.ts';

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
