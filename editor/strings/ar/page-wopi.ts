import { wopi } from './wopi.ts';

export const texts = { wopi } as const;
