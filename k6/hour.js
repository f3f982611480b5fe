import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Editor } from './lib/editor.js';
import { endsOf } from './lib/lifetimes.js';
import { settings } from './lib/settings.js';
import { htmlOf, textOf } from './lib/summary.js';

const vus = Math.ceil(settings.connections / settings.connectionsPerVu);
/** Between leaving a document and opening the next one, milliseconds. */
const pauseMs = 1_000;

export const options = {
  scenarios: {
    hour: {
      executor: 'per-vu-iterations',
      vus,
      iterations: 1,
      maxDuration: `${Math.ceil(settings.durationMs / 1_000) + 60}s`,
      gracefulStop: '5s',
    },
  },
  discardResponseBodies: true,
  summaryTrendStats: ['count', 'avg', 'min', 'med', 'p(90)', 'p(95)', 'p(99)', 'max'],
  thresholds: {
    quire_errors: ['count==0'],
    quire_saves: ['count>0'],
    quire_open: [`p(95)<${settings.limits.openP95Ms}`],
    quire_save: [`p(99)<${settings.limits.saveP99Ms}`],
    ...(settings.usersPerDocument > 1 ? { quire_delivery: [`p(99)<${settings.limits.deliveryP99Ms}`] } : {}),
    checks: ['rate==1'],
    'http_req_failed{name:Editor.bin}': ['rate==0'],
  },
};

export function setup() {
  if (settings.documentUrl === '') throw new Error('DOCUMENT_URL is missing: the address of a docx');
  for (const path of ['web-apps/apps/api/documents/api.js', 'plugins.json', 'healthcheck']) {
    const { status } = http.get(`${settings.baseUrl}/${path}`, { tags: { name: path } });
    check(status, { [`${path} is served`]: (value) => value >= 200 && value < 300 });
  }
  return { run: `k6-${Date.now().toString(36)}`, beganAtMs: Date.now() };
}

/** One virtual user holds many connections: what a person does takes little of it. */
export default function hour({ run, beganAtMs }) {
  const first = (exec.vu.idInTest - 1) * settings.connectionsPerVu;
  const last = Math.min(first + settings.connectionsPerVu, settings.connections);
  for (let number = first; number < last; number += 1) sit(run, beganAtMs, number);
}

/** The place of one person: document after document, until the time is over. */
function sit(run, beganAtMs, number) {
  const place = Math.floor(number / settings.usersPerDocument);
  const ends = endsOf(place);
  const stopAtMs = beganAtMs + settings.durationMs;
  const inMs = (atMs) => Math.max(0, atMs - Date.now());
  let editor = null;
  const open = () => {
    const now = Date.now();
    if (now >= stopAtMs - settings.durationMs / 10) return;
    const generation = ends.filter((end) => beganAtMs + end <= now).length;
    editor = new Editor(`${run}-${place}-${generation}`, `user-${number}`, () => setTimeout(open, pauseMs));
    const endAtMs = Math.min(stopAtMs, beganAtMs + (ends[generation] ?? Number.POSITIVE_INFINITY));
    const mine = editor;
    setTimeout(() => {
      if (mine !== editor || mine.over) return;
      mine.leave();
      setTimeout(open, pauseMs);
    }, inMs(endAtMs));
  };
  setTimeout(open, inMs(beganAtMs + (number / settings.connections) * settings.rampMs));
}

export function handleSummary(data) {
  const summary = { settings: { ...settings, secret: undefined }, metrics: data.metrics };
  const files = settings.summaryDirectory
    ? {
        [`${settings.summaryDirectory}/summary.json`]: JSON.stringify(summary, null, 2),
        [`${settings.summaryDirectory}/summary.html`]: htmlOf(summary),
      }
    : {};
  return { stdout: textOf(summary), ...files };
}
