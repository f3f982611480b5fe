import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { randomFrom } from '../fault-random.ts';

/** Numbers from a seed: 0 up to, but not, `below`. */
export type Pick = (below: number) => number;

export function pickFrom(seed: number): Pick {
  const random = randomFrom(seed);
  return (below) => Math.floor(random() * below);
}

type Mutation = (bytes: Uint8Array, pick: Pick, other: Uint8Array) => Uint8Array;

const largest = [0xff, 0x7f, 0x80, 0x00] as const;

/** Ways to damage any file. */
const ofBytes: Readonly<Record<string, Mutation>> = {
  flip(bytes, pick) {
    const out = bytes.slice();
    for (let left = 1 + pick(1 + Math.min(64, out.length >> 6)); left > 0; left--) {
      const at = pick(out.length);
      out[at] = out[at]! ^ (1 << pick(8));
    }
    return out;
  },
  truncate: (bytes, pick) => bytes.slice(0, pick(bytes.length)),
  blank(bytes, pick) {
    const out = bytes.slice();
    const at = pick(out.length);
    return out.fill(largest[pick(largest.length)]!, at, at + 1 + pick(512));
  },
  /** A number of four bytes, which may be a size, becomes the largest or a small one. */
  size(bytes, pick) {
    const out = bytes.slice();
    const at = pick(Math.max(1, out.length - 4)) & ~3;
    return out.fill(largest[pick(largest.length)]!, at, at + 4);
  },
  repeat(bytes, pick) {
    const at = pick(bytes.length);
    const block = bytes.subarray(at, at + 1 + pick(4_096));
    return joined(
      bytes.subarray(0, at),
      ...Array.from({ length: 1 + pick(20) }, () => block),
      bytes.subarray(at),
    );
  },
  cut(bytes, pick) {
    const at = pick(bytes.length);
    return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + pick(2_048)));
  },
  concatenate: (bytes, _pick, other) => joined(bytes, other),
  splice(bytes, pick, other) {
    const from = pick(other.length);
    const at = pick(bytes.length);
    return joined(bytes.subarray(0, at), other.subarray(from, from + 1 + pick(8_192)), bytes.subarray(at));
  },
};

/** Ways to damage the text of XML, and what is like it. */
const ofXml: Readonly<Record<string, (text: string, pick: Pick) => string>> = {
  dropTag(text, pick) {
    const tag = tagAt(text, pick);
    return text.slice(0, tag.from) + text.slice(tag.to);
  },
  doubleTag(text, pick) {
    const { from, to } = tagAt(text, pick);
    return text.slice(0, to) + text.slice(from, to).repeat(1 + pick(50)) + text.slice(to);
  },
  nest(text, pick) {
    const { to } = tagAt(text, pick);
    const name = /^<([\w:.-]+)/.exec(text.slice(tagAt(text, pick).from))?.[1] ?? 'a';
    const depth = 1 + pick(200);
    return text.slice(0, to) + `<${name}>`.repeat(depth) + `</${name}>`.repeat(depth) + text.slice(to);
  },
  number(text, pick) {
    const found = [...text.matchAll(/"-?\d+"/g)];
    const chosen = found[pick(Math.max(1, found.length))];
    if (!chosen) return text;
    const values = [
      '-1',
      '0',
      '1',
      '65536',
      '2147483647',
      '-2147483648',
      '4294967296',
      '1e308',
      '99999999999999',
    ];
    const end = chosen.index + chosen[0].length;
    return `${text.slice(0, chosen.index)}"${values[pick(values.length)]}"${text.slice(end)}`;
  },
  swapTags(text, pick) {
    const [a, b] = [tagAt(text, pick), tagAt(text, pick)].sort((one, two) => one.from - two.from) as [
      Span,
      Span,
    ];
    if (a.to > b.from) return text;
    const [first, second] = [text.slice(a.from, a.to), text.slice(b.from, b.to)];
    return text.slice(0, a.from) + second + text.slice(a.to, b.from) + first + text.slice(b.to);
  },
  entity: (text) =>
    text
      .replace(/(<\?xml[^>]*\?>)?/, '$1<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
      .replace('</', '&x;</'),
};

interface Span {
  from: number;
  to: number;
}

function tagAt(text: string, pick: Pick): Span {
  const from = Math.max(0, text.indexOf('<', pick(Math.max(1, text.length))));
  const end = text.indexOf('>', from);
  return { from, to: end < 0 ? text.length : end + 1 };
}

/** Damages a file in a way that its seed decides. `origin`: an address that links in it are made to name. */
export function mutate(
  bytes: Uint8Array,
  { seed, other, origin }: { seed: number; other: Uint8Array; origin: string },
): { bytes: Uint8Array; how: string } {
  const pick = pickFrom(seed);
  const hows: string[] = [];
  // Buffers share memory where arrays are copied.
  let out: Uint8Array = new Uint8Array(bytes);
  for (let left = 1 + pick(3); left > 0 && out.length > 0; left--) {
    const parts = pick(3) > 0 ? partsOf(out) : null;
    const [how, changed] = parts
      ? ofPackage(parts, pick, { other, origin })
      : ofFile(out, pick, { other, origin });
    hows.push(how);
    out = changed;
  }
  return { bytes: out, how: hows.join('+') };
}

interface Means {
  other: Uint8Array;
  origin: string;
}

function ofFile(bytes: Uint8Array, pick: Pick, means: Means): [string, Uint8Array] {
  if (bytes[0] === 0x3c && pick(2) === 0) return ofText(bytes, pick, means);
  const names = Object.keys(ofBytes);
  const how = names[pick(names.length)]!;
  return [how, ofBytes[how]!(bytes, pick, means.other)];
}

function ofText(bytes: Uint8Array, pick: Pick, { origin }: Means): [string, Uint8Array] {
  const names = [...Object.keys(ofXml), 'redirect'];
  const how = names[pick(names.length)]!;
  const text = strFromU8(bytes, true);
  if (how === 'redirect') return [how, strToU8(redirected(text, origin), true)];
  return [how, strToU8(ofXml[how]!(text, pick), true)];
}

/** Every link names the address. */
function redirected(text: string, origin: string): string {
  return text
    .replaceAll(
      /Target="[^"]*\.(?:png|jpe?g|gif|emf|wmf)"/g,
      `Target="${origin}/a.png" TargetMode="External"`,
    )
    .replaceAll(/xlink:href="[^"#]*"/g, `xlink:href="${origin}/a"`)
    .replaceAll(/https?:\/\/(?!schemas|purl|www\.w3)[^"<\s]*/g, `${origin}/a`);
}

function ofPackage(parts: Record<string, Uint8Array>, pick: Pick, means: Means): [string, Uint8Array] {
  const names = Object.keys(parts);
  const name = names[pick(names.length)]!;
  const changed: Record<string, Uint8Array> = { ...parts };
  let how: string;
  switch (pick(8)) {
    case 0: {
      const second = names[pick(names.length)]!;
      changed[name] = parts[second]!;
      changed[second] = parts[name]!;
      how = 'swapParts';
      break;
    }
    case 1:
      delete changed[name];
      how = 'dropPart';
      break;
    case 2:
      changed[name] = new Uint8Array(0);
      how = 'emptyPart';
      break;
    default: {
      const result: [string, Uint8Array] =
        parts[name]!.length > 0 ? ofFile(parts[name]!, pick, means) : ['none', parts[name]!];
      how = `part-${result[0]}`;
      changed[name] = result[1];
    }
  }
  const entries: Zippable = changed;
  return [how, zipSync(entries, { level: 1 })];
}

function partsOf(bytes: Uint8Array): Record<string, Uint8Array> | null {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return null;
  try {
    const parts = unzipSync(bytes, { filter: ({ originalSize }) => originalSize < 16_777_216 });
    return Object.keys(parts).length > 0 ? parts : null;
  } catch {
    return null;
  }
}

function joined(...pieces: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}
