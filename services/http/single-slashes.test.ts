import { expect, test } from 'vitest';
import { withSingleSlashes } from './single-slashes.ts';

test('[BU9] slashes in a path are one, those behind it are as they were, and an address that names no document stays', () => {
  const cases: [string, string][] = [
    ['//healthcheck', '/healthcheck'],
    ['///', '/'],
    ['//cache//files///data/k/h/a.docx?md5=a//b', '/cache/files/data/k/h/a.docx?md5=a//b'],
    ['/hosting/wopi/word/edit?WOPISrc=http://h//a', '/hosting/wopi/word/edit?WOPISrc=http://h//a'],
    ['//doc/key//c/?EIO=4', '/doc/key/c/?EIO=4'],
    ['//doc//c/?EIO=4', '/doc//c/?EIO=4'],
    ['/9.3.0-x//doc///c/', '/9.3.0-x/doc//c/'],
    ['/a#//', '/a#//'],
    ['http://host//a', 'http://host//a'],
    ['*', '*'],
    // What a proxy keeps from the outside by its address has no other.
    ['//metrics', '//metrics'],
    ['/9.3.0-x//Internal/cluster/ready?a', '/9.3.0-x//Internal/cluster/ready?a'],
    ['//info//info.json', '//info//info.json'],
    ['//metrics-of-mine', '/metrics-of-mine'],
  ];
  for (const [given, meant] of cases) expect(withSingleSlashes(given)).toBe(meant);
});
