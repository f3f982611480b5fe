import type { Sealing } from '../../platform/secrets/sealing.ts';

/** What a file is opened with that does not say enough itself. */
export interface OpeningOptions {
  readonly password?: string | undefined;
  /** Number of the encoding of plain text in the editors' list. */
  readonly encoding?: number | undefined;
  /** 0 none, 1 tab, 2 semicolon, 3 colon, 4 comma, 5 space. */
  readonly delimiter?: number | undefined;
  readonly delimiterChar?: string | undefined;
}

/** Opening options as they are kept and sent to workers. */
export interface SealedOptions {
  /** A name that does not reveal them; empty where there are none. What a source gave is kept by it. */
  variant: string;
  /** Encrypted; null where there are none. */
  sealed: string | null;
}

const context = 'opening options';

export function sealOptions(sealing: Sealing, options: OpeningOptions): SealedOptions {
  const { password, encoding, delimiter, delimiterChar } = options;
  const text = JSON.stringify({ password, encoding, delimiter, delimiterChar });
  return text === '{}'
    ? { variant: '', sealed: null }
    : { variant: sealing.nameOf(`${context} ${text}`), sealed: sealing.seal(text, context) };
}

/** The options again; null when they were sealed under another secret. */
export function unsealOptions(sealing: Sealing, sealed: string | null): OpeningOptions | null {
  if (sealed === null) return {};
  const text = sealing.open(sealed, context);
  return text === null ? null : (JSON.parse(text) as OpeningOptions);
}
