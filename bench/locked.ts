/**
 * What of documents of other programs nobody can edit here: counts the blocks that are shown and stay as they are, by the name of
 * their element, and the files that have such; beside them tables and paragraphs that are edited, and why files were refused.
 *
 *     node dist/bench/locked.js --files DIR [--files DIR …]
 */
import './support/help.ts';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Node } from 'prosemirror-model';
import { type OpenedDocx, openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { ConversionError } from '../converter/errors.ts';

const { values } = parseArgs({ options: { files: { type: 'string', multiple: true } } });
if (!values.files) throw new Error('say where the files are: --files DIR');

class Counts extends Map<string, number> {
  add(name: string, number = 1): void {
    this.set(name, (this.get(name) ?? 0) + number);
  }

  override toString(): string {
    const sorted = [...this].sort((a, b) => b[1] - a[1]);
    return sorted.map(([name, number]) => `  ${String(number).padStart(8)}  ${name}\n`).join('');
  }
}

const edited = new Counts();
const locked = new Counts();
const filesWith = new Counts();
const refused = new Counts();

function open(bytes: Uint8Array): OpenedDocx | undefined {
  try {
    return openDocx(bytes);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    refused.add(error.message);
    return undefined;
  }
}

for (const folder of values.files) {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(?:docx|docm|dotx|dotm)$/i.test(name)) continue;
    const source = open(await readFile(path.join(folder, name)));
    if (!source) continue;
    edited.add('files');
    source.doc.descendants(({ type, isTextblock }) => {
      if (isTextblock || type.name === 'table') edited.add(`${type.name}s`);
      return !isTextblock;
    });
    for (const [kind, number] of lockedBlocks(source.doc)) {
      locked.add(kind, number);
      filesWith.add(kind);
    }
  }
}
process.stdout.write(
  `edited:\n${edited}locked:\n${locked}files with locked:\n${filesWith}refused:\n${refused}`,
);

/** How many blocks of a document are shown and cannot be edited here, by the name of their element. */
function lockedBlocks(doc: Node): ReadonlyMap<string, number> {
  const locked = new Map<string, number>();
  doc.descendants(({ type, attrs }) => {
    if (type.name === 'opaque_block') locked.set(attrs.kind, (locked.get(attrs.kind) ?? 0) + 1);
    return !type.isTextblock;
  });
  return locked;
}
