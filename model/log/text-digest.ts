/**
 * Tells one text, or one sequence of texts, from another: not against forgery, but against taking one version of a
 * document for another. Immutable; 64 bits.
 */
export class TextDigest {
  readonly #a: number;
  readonly #b: number;

  constructor(a = 0x2545f491, b = 0x9e3779b9) {
    this.#a = a;
    this.#b = b;
  }

  /** The digest that {@link toString} tells. */
  static of(hex: string): TextDigest {
    return new TextDigest(Number.parseInt(hex.slice(0, 8), 16) | 0, Number.parseInt(hex.slice(8), 16) | 0);
  }

  with(text: string): TextDigest {
    let a = this.#a ^ text.length;
    let b = this.#b;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul((b << 5) | (b >>> 27), 0x5bd1e995) ^ code;
    }
    return new TextDigest(Math.imul(a ^ (a >>> 15), 0x2c1b3c6d), Math.imul(b ^ (b >>> 13), 0x297a2d39));
  }

  toString(): string {
    return [this.#a, this.#b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
