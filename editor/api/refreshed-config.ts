import { isAbsent, type Json, type JsonObject, objectOf } from './json.ts';

/** Of a document, what a newer version of it has too unless the page says something else. */
const lasting = ['fileType', 'title', 'info'] as const;

/**
 * The configuration of `refreshFile`, completed by the one the editor is open with: pages leave out what is not new, or
 * have it empty, the person above all. What a token vouches for is taken from the new one alone, whose token it is.
 */
export function refreshedConfig(given: JsonObject, open: JsonObject): JsonObject {
  const { token: _token, ...around } = open;
  const before = objectOf(open.document);
  const document = objectOf(given.document);
  const asBefore = lasting.filter((name) => isLeftOut(document[name]) && !isLeftOut(before[name]));
  const { callbackUrl: _callbackUrl, mode, ...editorConfig } = objectOf(open.editorConfig);
  return {
    ...over(around, given),
    document: { ...document, ...Object.fromEntries(asBefore.map((name) => [name, before[name]])) },
    editorConfig: over(
      // A reader does not come to edit by what is left out.
      mode === 'view' ? { ...editorConfig, mode } : editorConfig,
      objectOf(given.editorConfig),
    ),
  };
}

/** What `given` has, and of what it leaves out what was there before. */
function over(before: JsonObject, given: JsonObject): JsonObject {
  const present = Object.entries(given).filter(([, value]) => !isLeftOut(value));
  return { ...before, ...Object.fromEntries(present) };
}

/** Some languages write every member of an object, with nothing in it. */
function isLeftOut(value: Json | undefined): boolean {
  if (isAbsent(value) || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isLeftOut);
}
