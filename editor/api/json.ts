import { isAbsent } from '../../client/protocol/plain-values.ts';

/** A value as it can be sent to the editor. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** Hosts in PHP write an empty object as an empty list. */
export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

export const isObject = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0);

/** What a dotted path such as `document.url` leads to. */
export function at(root: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, name) => objectOf(value)[name], root);
}

/** A new object with what `given` has, and the defaults where it has nothing. */
export function withDefaults(given: JsonObject, defaults: JsonObject): JsonObject {
  const merged = { ...given };
  for (const [name, fallback] of Object.entries(defaults)) {
    const value = given[name];
    if (isAbsent(value)) merged[name] = fallback;
    else if (isObject(fallback) && isObject(value)) {
      merged[name] = withDefaults(objectOf(value), objectOf(fallback));
    }
  }
  return merged;
}
