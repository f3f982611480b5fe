/** The text of the first comment of a program, from its source or compiled, which may put helpers before it. */
export const headComment = (source: string): string =>
  (/\/\*\*\n([\s\S]*?)\*\//.exec(source)?.[1] ?? '').replaceAll(/^ *\* ?/gm, '').trim();
