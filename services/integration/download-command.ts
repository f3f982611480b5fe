/** What of the `cmd` of a download counts here (integration API, 11.2). */
export interface DownloadCommand {
  /** Extension of the wanted file; null for the document's own format, `unknown` for a number without a name. */
  outputType: string | null;
  tokenSession: string | undefined;
}

/** `outputformat` by its number: the format families of text documents, presentations and spreadsheets. */
const families: readonly (readonly [first: number, types: readonly string[]])[] = [
  [65, ['docx', 'doc', 'odt', 'rtf', 'txt', 'html', 'mht', 'epub', 'fb2', 'mobi', 'docm', 'dotx', 'dotm']],
  [129, ['pptx', 'ppt', 'odp', 'ppsx', 'pptm', 'ppsm', 'potx', 'potm']],
  [257, ['xlsx', 'xls', 'ods', 'csv', 'xlsm', 'xltx', 'xltm']],
];

/** Reads `cmd`: JSON text of an object, or nothing at all; null when it is anything else. */
export function downloadCommand(cmd: unknown): DownloadCommand | null {
  if (cmd === undefined) return { outputType: null, tokenSession: undefined };
  let given: unknown;
  try {
    given = JSON.parse(String(cmd));
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const { outputformat, tokenSession } = given as Record<string, unknown>;
  return {
    outputType: outputTypeOf(outputformat),
    tokenSession: typeof tokenSession === 'string' ? tokenSession : undefined,
  };
}

function outputTypeOf(format: unknown): string | null {
  if (format === undefined || format === null || format === '') return null;
  if (typeof format === 'string' && !/^\d+$/.test(format)) return format.toLowerCase();
  const number = Number(format);
  for (const [first, types] of families) {
    const type = types[number - first];
    if (type !== undefined) return type;
  }
  return 'unknown';
}
