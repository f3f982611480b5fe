/** A patched object: null takes a property away. */
export function patched<Properties extends object>(properties: Properties, patch: object): Properties {
  const next = { ...properties } as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete next[name];
    else if (value !== undefined) next[name] = value;
  }
  return next as Properties;
}
