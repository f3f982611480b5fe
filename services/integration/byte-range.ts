/** Bytes to send: all, a part (`end` included), or none because the part lies outside. */
export type RequestedBytes =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * Reads a Range header (RFC 9110 14.1 and 14.2). Units other than bytes, several ranges and what is malformed
 * count as if the header were absent, as the RFC allows.
 */
export function requestedBytes(header: string | undefined, sizeBytes: number): RequestedBytes {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(' ', '') ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'whole' };
  const last = sizeBytes - 1;
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), sizeBytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: sizeBytes - length, end: last };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? last : Number(match[2]);
  if (end < start && match[2] !== '') return { kind: 'whole' };
  if (start > last) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: Math.min(end, last) };
}
