/** Stands for any signs, and for any one sign. */
const anySigns = Symbol();
const oneSign = Symbol();

/** A longer one is no pattern: comparing takes as long as both lengths multiplied. */
const mostSigns = 255;

/**
 * Whether texts fit one with `*` and `?` for any signs; `~` before them means themselves. Whatever stands there, no text takes longer
 * than its length for each sign of the pattern: it may come from somebody who means harm.
 */
export function wildcard(text: string): (compared: string) => boolean {
  const signs: (string | symbol)[] = [];
  for (const [sign] of text.toLowerCase().matchAll(/~[*?~]|./gsu)) {
    if (sign === '*') signs.push(anySigns);
    else if (sign === '?') signs.push(oneSign);
    else signs.push(sign.length === 2 && sign.startsWith('~') ? sign[1]! : sign);
  }
  if (signs.length > mostSigns) return (compared) => compared.toLowerCase() === text.toLowerCase();
  return (compared) => fits([...compared.toLowerCase()], signs);
}

function fits(letters: readonly string[], signs: readonly (string | symbol)[]): boolean {
  let [at, next] = [0, 0];
  // Where the last `*` is, and the first letter behind what it stands for.
  let [star, behind] = [-1, 0];
  while (at < letters.length) {
    const sign = signs[next];
    if (sign === anySigns) {
      star = next++;
      behind = at;
    } else if (sign === oneSign || sign === letters[at]) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      behind += 1;
      at = behind;
      next = star + 1;
    } else return false;
  }
  return signs.slice(next).every((sign) => sign === anySigns);
}
