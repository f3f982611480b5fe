import { admin } from './admin.ts';

export const texts = { admin } as const;
