import { useEffect, useState } from 'preact/hooks';
import { detectDelimiter, separatorLine } from '../../../model/delimiters.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { shownEncoding, type TextEncoding, textEncodings, usualEncoding } from './encodings.ts';

/** So much of a text is shown in the encoding that is chosen, bytes. */
const previewBytes = 2_000;
/** So many lines of a table are shown. */
const previewLines = 8;

const delimiters: readonly (readonly [sign: string, name: StringKey])[] = [
  [',', 'page.delimiterComma'],
  [';', 'page.delimiterSemicolon'],
  ['\t', 'page.delimiterTab'],
  ['|', 'page.delimiterBar'],
  [':', 'page.delimiterColon'],
  [' ', 'page.delimiterSpace'],
];

/** The fields `encoding` (a number of the editors' list) and, of a table, `delimiter`, with the beginning of the text. */
export function EncodingQuestion({
  lang,
  source,
  isTable,
}: {
  lang: string;
  source: string;
  isTable: boolean;
}) {
  // What a person chose stays, also when the text arrives after it.
  const [chosen, choose] = useState<TextEncoding | null>(null);
  const [chosenDelimiter, chooseDelimiter] = useState<string | null>(null);
  const [bytes, setBytes] = useState<Uint8Array | null>(null);
  useEffect(() => {
    fetch(source)
      .then((response) => response.arrayBuffer())
      .then((all) => setBytes(new Uint8Array(all.slice(0, previewBytes))))
      .catch(() => setBytes(null));
  }, [source]);
  const scripts = new Intl.DisplayNames([lang, 'en'], { type: 'script' });
  const encoding = chosen ?? (bytes && shownEncoding(bytes)) ?? usualEncoding(lang);
  const text = bytes && new TextDecoder(encoding.label).decode(bytes);
  const delimiter = chosenDelimiter ?? detectDelimiter(text ?? '');
  return (
    <>
      <p>{t(isTable ? 'page.tableUnknown' : 'page.encodingUnknown')}</p>
      <label class="field">
        {t('page.encoding')}
        <select
          name="encoding"
          value={encoding.number}
          onChange={({ currentTarget }) =>
            choose(textEncodings.find(({ number }) => number === Number(currentTarget.value)) ?? null)
          }
        >
          {textEncodings.map(({ number, label, script }) => (
            <option key={label} value={number}>
              {script === null ? label : `${scripts.of(script)} – ${label}`}
            </option>
          ))}
        </select>
      </label>
      {isTable && (
        <label class="field">
          {t('page.delimiter')}
          <select
            name="delimiter"
            value={delimiter}
            onChange={({ currentTarget }) => chooseDelimiter(currentTarget.value)}
          >
            {delimiters.map(([sign, name]) => (
              <option key={name} value={sign}>
                {t(name)}
              </option>
            ))}
            {delimiters.every(([sign]) => sign !== delimiter) && (
              <option value={delimiter}>{delimiter}</option>
            )}
          </select>
        </label>
      )}
      {text !== null &&
        (isTable ? (
          <TablePreview text={text} delimiter={delimiter} />
        ) : (
          <pre class="question-preview" dir="auto" aria-label={t('page.encodingPreview')} aria-live="polite">
            {text}
          </pre>
        ))}
    </>
  );
}

function TablePreview({ text, delimiter }: { text: string; delimiter: string }) {
  const named = separatorLine(text);
  const table = named?.delimiter === delimiter ? text.slice(named.end) : text;
  const lines = table.split(/\r\n|\r|\n/, previewLines).filter((line) => line !== '');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled has to be reached by keys.
    <div class="question-preview" role="region" tabIndex={0} aria-label={t('page.encodingPreview')}>
      <table>
        <tbody>
          {lines.map((line, row) => (
            <tr key={row}>
              {cellsOf(line, delimiter).map((cell, column) => (
                <td key={column} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The cells of one line: a delimiter between quotes is none. Line ends in cells are not looked at. */
function cellsOf(line: string, delimiter: string): string[] {
  const sign = delimiter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  const outside = new RegExp(`${sign}(?=(?:[^"]*"[^"]*")*[^"]*$)`);
  return line.split(outside).map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));
}
