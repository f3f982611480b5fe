import { areaOfReference } from './area.ts';

/** Whether a name has the signs that names of cells and tables may have. */
export const hasNameSigns = (name: string): boolean => /^[\p{L}_\\][\p{L}\p{M}\p{N}_.\\?]*$/u.test(name);

/** Whether what has the signs of a name stands for a cell already, or for a value. */
export const isTakenByFormulas = (name: string): boolean =>
  /^(?:r|c|r\d*c\d*|true|false)$/i.test(name) ||
  (/^[a-z]{1,3}\d+$/i.test(name) && areaOfReference(name) !== undefined);
