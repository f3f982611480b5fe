import { DOMParser, type Node, type ParseOptions, type Slice } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import type { PastedPicture } from '../../pictures/pasted-picture.ts';
import type { Styles } from '../../styles/styles.ts';
import { cleanHtml } from './clean-html.ts';
import type { NewTag } from './list-marks.ts';
import { parseRules } from './parse-rules.ts';

/**
 * Reads HTML of the clipboard. Pictures in it are put aside for whoever inserts what was read; a node of their kind stands
 * for each, with a source that no document has.
 */
export class ClipboardParser extends DOMParser {
  readonly #newTag: NewTag;
  #pictures: PastedPicture[] = [];

  constructor(styles: Styles, newTag: NewTag) {
    super(wordSchema, parseRules(styles));
    this.#newTag = newTag;
  }

  override parse(dom: globalThis.Node, options?: ParseOptions): Node {
    this.#clean(dom);
    return super.parse(dom, options);
  }

  override parseSlice(dom: globalThis.Node, options?: ParseOptions): Slice {
    this.#clean(dom);
    return super.parseSlice(dom, options);
  }

  /** The pictures of what was read last; once. */
  takePictures(): PastedPicture[] {
    const pictures = this.#pictures;
    this.#pictures = [];
    return pictures;
  }

  #clean(dom: globalThis.Node): void {
    if (dom instanceof Element) this.#pictures = cleanHtml(dom, this.#newTag);
  }
}
