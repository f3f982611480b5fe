import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { declaredMetrics } from '../services/metrics-reference.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Rule {
  alert: string;
  annotations: Partial<Record<'summary' | 'runbook' | 'admin', string>>;
}

const rules = (
  parse(textOf('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** The text below each heading of a page, by the heading's address. */
function sectionsOf(page: string): Map<string, string> {
  const slugger = new GithubSlugger();
  const parts = page.split(/^#{1,6} (.*)$/m);
  return new Map(
    parts.flatMap((heading, index) =>
      index % 2 === 1 ? [[slugger.slug(heading), parts[index + 1] ?? ''] as const] : [],
    ),
  );
}

test('[OB25] each alert names a section that says its cause, what to look at and what to do', () => {
  expect(rules.length).toBeGreaterThan(20);
  for (const { alert, annotations } of rules) {
    expect(annotations.summary, alert).toMatch(/\w/);
    const [page = '', anchor = ''] = annotations.runbook?.split('#') ?? [];
    expect(page, alert).toMatch(/^docs\/[\w-]+\.md$/);
    const section = sectionsOf(textOf(page)).get(anchor);
    expect(section, `${alert}: ${annotations.runbook}`).toBeDefined();
    for (const part of ['Cause', 'Look', 'Do']) expect(section, alert).toMatch(`- **${part}.** `);
  }
});

test('[OB25] each alert names a page of the administration that there is', () => {
  const source = textOf('editor/admin/route.ts');
  const [, listed = ''] = /export const sections = \[(.*?)\]/s.exec(source) ?? [];
  const sections = [...listed.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  expect(sections.length).toBeGreaterThan(4);
  for (const { alert, annotations } of rules) {
    const [, section, part] = /^\/admin\/#(\w+)(?:\/(\w+))?$/.exec(annotations.admin ?? '') ?? [];
    expect(sections, alert).toContain(section);
    // Tests in a browser open it.
    if (part !== undefined) expect(`${section}/${part}`, alert).toBe('saves/attention');
  }
});

interface Board {
  title: string;
  templating: { list: { name: string; type: string; query: unknown; regex?: string }[] };
  panels: { title: string; datasource: { uid: string }; targets: { expr: string }[] }[];
}

/** What the database or the queue says to all nodes alike: nothing of it is of one node. */
const ofAllNodes = new Set(
  declaredMetrics()
    .filter(({ help }) => /of all nodes|that all nodes share/.test(help))
    .map(({ name }) => name)
    .concat('quire_oldest_job_seconds', 'quire_oldest_unsaved_change_seconds', 'quire_refused_documents'),
);

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
const chosenSource = '${source}';

test('[OB28] each board has variables for its source and its nodes, and each query of a node keeps to them', () => {
  const boards = readdirSync(path.join(root, 'deploy/grafana/dashboards')).map(
    (file) => JSON.parse(textOf(`deploy/grafana/dashboards/${file}`)) as Board,
  );
  expect(boards).toHaveLength(4);
  for (const { title, templating, panels } of boards) {
    const [source, node] = templating.list;
    expect(source, title).toMatchObject({ name: 'source', type: 'datasource', query: 'prometheus' });
    expect(node, title).toMatchObject({ name: 'node', type: 'query', datasource: { uid: chosenSource } });
    for (const { title: panel, datasource, targets } of panels) {
      expect(datasource.uid, panel).toBe(chosenSource);
      for (const { expr } of targets) {
        for (const [, name = '', selector = ''] of expr.matchAll(/\b(quire_\w+)(\{[^}]*\})?/g)) {
          if (ofAllNodes.has(name)) expect(selector, expr).not.toContain('$node');
          else expect(selector, expr).toContain('instance=~"$node"');
        }
      }
    }
  }
});

test('[OB28] the variable for nodes shows their names, and takes the address that Prometheus knows them by', () => {
  const board = JSON.parse(textOf('deploy/grafana/dashboards/quire-service.json')) as Board;
  const { query, regex = '' } = board.templating.list[1]!;
  expect(query).toMatchObject({ query: 'query_result(quire_node_info)' });
  const pattern = new RegExp(regex.slice(1, -1));
  const result =
    'quire_node_info{instance="quire-1:8000", job="quire", name="docs-1", version="0.1.0", worker="1"} 1 1700000000000';
  expect(pattern.exec(result)?.groups).toEqual({ value: 'quire-1:8000', text: 'docs-1' });
});
