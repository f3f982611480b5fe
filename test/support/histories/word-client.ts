import type { Node } from 'prosemirror-model';
import { WordSession } from '../../../client/word/word-session.ts';
import { buildDocx } from '../docx-fixture.ts';
import { type ClientPlace, pick } from './editor-client.ts';
import { SessionClient } from './session-client.ts';

const paragraphs = ['A title', '= 1 = ', '= 2 = ', '= 3 = ', '= 4 = ', 'An end nobody touches.'];

/** The file that every word document of these runs begins with. */
export const wordSource = (): Uint8Array => buildDocx({ paragraphs });

/** Texts of the blocks of a document. */
export function blockTexts(doc: Node): string[] {
  const texts: string[] = [];
  doc.forEach((block) => {
    texts.push(block.textContent);
  });
  return texts;
}

/** Somebody in our word session who puts words at the ends of paragraphs and takes a letter out now and then. */
export class WordClient extends SessionClient<WordSession> {
  #made = 0;

  constructor(place: ClientPlace) {
    super(place, 'word', {
      ...{ editorType: 0, format: 'docx', elements: ['a', 'b', 'c'] },
      open: (options) => new WordSession(options),
    });
  }

  protected override shownTexts(): readonly string[] {
    return blockTexts(this.session.state.doc);
  }

  protected override write(): void {
    const { random } = this.place;
    const places = this.#paragraphEnds();
    if (places.length === 0) return;
    this.#made += 1;
    const { state } = this.session;
    this.session.dispatch(state.tr.insertText(`${this.name}.${this.#made}; `, pick(places, random)));
  }

  /** Takes out the last letter of a paragraph that has some. */
  protected override alter(): void {
    const places = this.#paragraphEnds();
    if (places.length === 0) return;
    const end = pick(places, this.place.random);
    const { state } = this.session;
    if (state.doc.resolve(end).parent.textContent.length < 8) return;
    this.session.dispatch(state.tr.delete(end - 1, end));
  }

  #paragraphEnds(): number[] {
    const ends: number[] = [];
    this.session.state.doc.descendants((node, position) => {
      if (node.type.name === 'paragraph' && node.textContent.startsWith('= ')) {
        ends.push(position + 1 + node.content.size);
      }
    });
    return ends;
  }
}
