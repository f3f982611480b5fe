import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildDocx } from './docx-fixture.ts';
import { paragraphsOf } from './word-editor.ts';
import { installFakeX2t } from './x2t.ts';

/**
 * Makes `base.docx`, which lies beside it, of everything, and of a docx whatever is wanted, as a line of what it was told
 * and that docx. A source that holds `LOCKED` wants the password `right`; a target of a type in the file `broken` cannot be
 * written, and while there is a file `slow` it takes its time.
 */
const standIn = `
  beside=$(dirname "$0")
  value() { sed -n "s/.*<$1>\\(.*\\)<\\/$1>.*/\\1/p" "$params"; }
  params=$1
  to=$(value m_sFileTo)
  from=$(value m_sFileFrom)
  if grep -q LOCKED "$from"; then
    case "$(value m_sPassword)" in
      "") exit 90 ;;
      right) ;;
      *) exit 91 ;;
    esac
  fi
  [ ! -e "$beside/slow" ] || sleep 30
  grep -qx "\${to##*.}" "$beside/broken" && exit 80
  case "$from" in
    *.docx) (echo "encoding $(value m_nCsvTxtEncoding) save password $(value m_sSavePassword) to $(value m_nFormatTo)"; cat "$from") > "$to" ;;
    *) cp "$beside/base.docx" "$to" ;;
  esac`;

/** A converter for tests that are about what the server does with formats, and not about the formats. */
export class FormatsStandIn {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async install(directory: string): Promise<FormatsStandIn> {
    await installFakeX2t(directory, standIn);
    const made = new FormatsStandIn(directory);
    await made.reset();
    return made;
  }

  /** The settings of a server that uses it. */
  get environment(): Record<string, string> {
    return { X2T_DIR: this.#directory, X2T_UNCONFINED: 'true' };
  }

  async reset(): Promise<void> {
    await Promise.all([this.makes('First', 'Second'), this.cannotWrite(), this.slow(false)]);
  }

  /** What it makes of every source from now on. */
  makes(...paragraphs: string[]): Promise<void> {
    return writeFile(path.join(this.#directory, 'base.docx'), buildDocx({ paragraphs }));
  }

  cannotWrite(...types: string[]): Promise<void> {
    return writeFile(path.join(this.#directory, 'broken'), types.map((type) => `${type}\n`).join(''));
  }

  slow(isSlow: boolean): Promise<void> {
    const file = path.join(this.#directory, 'slow');
    return isSlow ? writeFile(file, '') : rm(file, { force: true });
  }
}

/**
 * What it made of a document: the line of what it was told, and the paragraphs of the docx that it was given. Of an archive, which
 * it did not make, there is neither.
 */
export function standInResult(result: Uint8Array): { told: string; paragraphs: string[] } {
  const bytes = Buffer.from(result);
  if (bytes.toString('latin1', 0, 2) === 'PK') return { told: '', paragraphs: [] };
  const end = bytes.indexOf('\n');
  return { told: bytes.toString('utf8', 0, end), paragraphs: paragraphsOf(bytes.subarray(end + 1)) };
}
