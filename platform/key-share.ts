import { createHash } from 'node:crypto';

/** Which of `count` equal parts a key falls into, from 0: the same in every process. */
export const shareOf = (key: string, count: number): number =>
  createHash('sha1').update(key).digest().readUInt32BE() % count;
