import { example } from './example.ts';

export const texts = { example } as const;
