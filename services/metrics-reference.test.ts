import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { declaredMetrics, metricsTable } from './metrics-reference.ts';

/** A table without the room that formatters give its columns. */
const narrow = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

test('[ME2] the documentation shows the metrics as they are', () => {
  const page = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
  expect(narrow(page)).toContain(narrow(metricsTable()));
});

test('[ME2] each name is declared once, with units and kinds as Prometheus wants them', () => {
  const declared = declaredMetrics();
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
  for (const { name, type } of declared) {
    if (type === 'counter') expect(name).toMatch(/_total$/);
    expect(name).not.toMatch(/_ms$|_milliseconds|_minutes/);
  }
});

test('[ME3] no label is for what there may be any number of', () => {
  const labels = new Set(declaredMetrics().flatMap((metric) => metric.labels));
  for (const unbounded of [
    'key',
    'document_key',
    'user',
    'session',
    'connection',
    'url',
    'path',
    'address',
  ]) {
    expect(labels).not.toContain(unbounded);
  }
});
