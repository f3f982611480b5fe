/** What a file of a document is called: by the title, with the extension of the file in place of the document's own, or behind it where it has none. */
export function titledFile(title: string, ownType: string, fileType: string): string {
  const name = title.replace(/[/\\]/g, '_') || 'document';
  if (name.toLowerCase().endsWith(`.${fileType}`)) return name;
  const isOwn = name.toLowerCase().endsWith(`.${ownType}`) && name.length > ownType.length + 1;
  return `${isOwn ? name.slice(0, -ownType.length - 1) : name}.${fileType}`;
}
