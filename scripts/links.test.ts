import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import GithubSlugger from 'github-slugger';
import { marked, TextRenderer, type Token } from 'marked';
import { expect, onTestFinished, test } from 'vitest';

const root = path.dirname(import.meta.dirname);

interface Document {
  /** The targets of its links and pictures, as they are written. */
  readonly targets: readonly string[];
  /** The anchors of its headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
}

const documentsRead = new Map<string, Document>();

function readDocument(file: string): Document {
  const known = documentsRead.get(file);
  if (known) return known;
  const targets: string[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  void marked.walkTokens(marked.lexer(readFileSync(file, 'utf8')), (token: Token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(token.href);
    if (token.type === 'html') {
      for (const [, target] of token.raw.matchAll(/\s(?:href|src)="([^"]*)"/g)) targets.push(target!);
    }
    if (token.type === 'heading') {
      anchors.add(slugger.slug(marked.Parser.parseInline(token.tokens!, { renderer: new TextRenderer() })));
    }
  });
  const document = { targets, anchors };
  documentsRead.set(file, document);
  return document;
}

/** The file and the anchor that a target names, or nothing for an address of the web. */
function placeOf(target: string, from: string): { file: string; anchor: string } | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined;
  const [relative, anchor = ''] = target.split('#', 2);
  return { file: relative ? path.resolve(path.dirname(from), decodeURIComponent(relative)) : from, anchor };
}

function isAddress(target: string): boolean {
  return /^(https?:\/\/|mailto:)/.test(target) && URL.canParse(target);
}

/** What is wrong with the links of a document, a line for each: the document, the target, and the fault. */
function brokenLinks(file: string, folder: string): string[] {
  return readDocument(file).targets.flatMap((target) => {
    const line = (fault: string) => [`${path.relative(folder, file)}: ${target} ${fault}`];
    const place = placeOf(target, file);
    if (!place) return isAddress(target) ? [] : line('is no address');
    if (!statSync(place.file, { throwIfNoEntry: false })) return line('is no file');
    if (!place.anchor) return [];
    if (!place.file.endsWith('.md')) return line('names a heading of what has none');
    return readDocument(place.file).anchors.has(place.anchor) ? [] : line('is no heading');
  });
}

/** The documents of the project: all Markdown files but those of packages and builds. */
function documents(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (!entry.isDirectory()) return entry.name.endsWith('.md') ? [name] : [];
    return entry.name.startsWith('.') || ['node_modules', 'dist'].includes(entry.name) ? [] : documents(name);
  });
}

test('[SP1] every link of the documents leads to a file, a heading, or an address of the web', () => {
  expect(documents(root).flatMap((file) => brokenLinks(file, root))).toEqual([]);
});

test('[SP1] a link that leads nowhere is named', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    path.join(folder, 'a.md'),
    '# A `b` c\n\n[x](#a-b-c) [x](b.md#twice-1) [x](https://example.com/a) [y](#a) [y](c.md) [y](b.md#thrice)\n' +
      '![y](d.png) [y](https://) [y](javascript:void) <img src="e.png"> `[x](no.md)`\n\n[x][1] [y][2]\n\n' +
      '[1]: b.md\n[2]: f.md\n',
  );
  writeFileSync(path.join(folder, 'b.md'), '## Twice\n\n## Twice\n');
  expect(brokenLinks(path.join(folder, 'a.md'), folder)).toEqual([
    'a.md: #a is no heading',
    'a.md: c.md is no file',
    'a.md: b.md#thrice is no heading',
    'a.md: d.png is no file',
    'a.md: https:// is no address',
    'a.md: javascript:void is no address',
    'a.md: e.png is no file',
    'a.md: f.md is no file',
  ]);
});

test('[SP2] links lead from the README to every guide in docs', () => {
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file) || !file.endsWith('.md')) return;
    reached.add(file);
    for (const target of readDocument(file).targets) {
      const place = placeOf(target, file);
      if (place) follow(place.file);
    }
  };
  follow(path.join(root, 'README.md'));
  expect(documents(path.join(root, 'docs')).filter((file) => !reached.has(file))).toEqual([]);
});
