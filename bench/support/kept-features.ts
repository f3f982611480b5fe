import type { FeatureName, Features } from './flat-features.ts';
import { featureNames, keptOf } from './flat-features.ts';

/** What was kept of each kind of thing, and of how many; `words` where a format holds nothing but text. */
export type Kept = Readonly<Partial<Record<FeatureName | 'words', readonly [kept: number, of: number]>>>;

/** Kinds by which a conversion is judged: names of styles are no content. */
const judged: readonly FeatureName[] = featureNames.filter((name) => name !== 'styles');

/** A kind of which there is less in all files together says too little. */
const leastCount = 5;

export function keptFeatures(source: Features, result: Features): Kept {
  return Object.fromEntries(
    judged.map((name) => [name, [keptOf(source[name], result[name]), source[name].length]]),
  );
}

/** How many words of the paragraphs of a source are in a text. */
export function keptWords(source: Features, text: string): Kept {
  const words = wordsOf(source.paragraphs.join('\n'));
  return { words: [keptOf(words, wordsOf(text)), words.length] };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The same with nothing kept: of a file that an engine does not convert. */
export const nothingKept = (kept: Kept): Kept =>
  Object.fromEntries(Object.entries(kept).map(([name, [, of]]) => [name, [0, of]]));

export function sumOf(files: readonly Kept[]): Kept {
  const sum = new Map<string, [kept: number, of: number]>();
  for (const [name, [kept, of]] of files.flatMap((file) => Object.entries(file))) {
    const [keptBefore, before] = sum.get(name) ?? [0, 0];
    sum.set(name, [keptBefore + kept, before + of]);
  }
  return Object.fromEntries(sum);
}

/**
 * The mean of the shares that are kept of each kind, 0 to 1, in each of which every file that has some counts the same; NaN where
 * there is nothing to judge by.
 */
export function scoreOf(files: readonly Kept[]): number {
  const kinds = Object.entries(sumOf(files)).filter(([, [, of]]) => of >= leastCount);
  return mean(
    kinds.map(([name]) => {
      const counts = files.map((file) => file[name as keyof Kept]!).filter(([, of]) => of > 0);
      return mean(counts.map(([kept, of]) => kept / of));
    }),
  );
}

const mean = (shares: readonly number[]) => shares.reduce((total, share) => total + share, 0) / shares.length;
