/** What went wrong on the wire. */
export interface NetworkCause {
  /** As Node, OpenSSL, the parser of HTTP or zlib name it. */
  code: string;
  /** The same for people, without a full stop. It holds no secret and no address. */
  sentence: string;
  /** Whether no connection came about: nothing has been said on it. */
  isUnreached: boolean;
}

const unreached: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'names cannot be resolved',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of a private authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
};

const onTheWire: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection is cut',
  EPIPE: 'the connection is cut',
  EPROTO: 'it speaks another protocol',
  ETIMEDOUT: 'it does not answer',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP',
  HPE_HEADER_OVERFLOW: 'its headers are larger than 16 KB',
  HPE_INVALID_EOF_STATE: 'the connection ends in the middle of the answer',
  Z_BUF_ERROR: 'its compressed body ends in the middle',
};

/** Whether a code is one of a decoder: those of brotli are the names of its errors behind `ERR_`. */
export const isOfDecoder = (code: string): boolean => /^(Z|ERR_)_/.test(code);

/** The first error that is known, of an error, its causes and what they join; null where none is. */
export function networkCause(error: unknown): NetworkCause | null {
  for (const { code = '', reason } of causesOf(error) as (NodeJS.ErrnoException & { reason?: unknown })[]) {
    const sentence = unreached[code] ?? onTheWire[code];
    if (sentence !== undefined) return { code, sentence, isUnreached: code in unreached };
    if (code.startsWith('HPE_'))
      return { code, sentence: `its answer is no proper HTTP: ${reason}`, isUnreached: false };
    if (isOfDecoder(code)) return { code, sentence: 'its body cannot be decompressed', isUnreached: false };
  }
  return null;
}

/** What happened at an address, as a sentence without a full stop. */
export function networkSentence(address: string, error: unknown): string {
  const cause = networkCause(error);
  if (cause === null) return `${address} cannot be reached`;
  const what = cause.isUnreached ? 'cannot be reached' : 'gives no whole answer';
  return `${address} ${what}: ${cause.sentence} (${cause.code})`;
}

/** An error, what it joins, and its causes, from the outside in. */
export function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 8; at = at.cause) {
    chain.push(at, ...(at instanceof AggregateError ? (at.errors as Error[]) : []));
  }
  return chain;
}
