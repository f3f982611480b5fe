/** What neither the database nor XML takes, and no screen shows. */
const noText = /[\p{Cc}\p{Noncharacter_Code_Point}]/gu;

/** Text that came from outside as the database, XML and other people's screens can take it. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(noText, '');
}

/** The beginning of a text, of at most so many UTF-16 units, without half a character. */
export function shortText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** A file's name of at most so many characters; its extension is kept. */
export function shortFileName(name: string, most: number): string {
  const extension = name.length <= most ? '' : (/\.[^.]{1,20}$/.exec(name)?.[0] ?? '');
  return shortText(name, most - extension.length) + extension;
}

/** Longest value of a header, characters: many servers take some eight thousand for all headers of a request. */
const longestHeader = 2_048;

/** Text as the value of a header: what that cannot carry is percent-encoded. Null where it is too long for one. */
export function headerText(text: string): string | null {
  const encoded = text.toWellFormed().replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  return encoded.length > longestHeader ? null : encoded;
}
