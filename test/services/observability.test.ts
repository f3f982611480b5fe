import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredMetrics } from '../../services/metrics-reference.ts';
import { eventually } from '../support/eventually.ts';
import { accepted } from '../support/integrator.ts';
import { save, takeSaveLock } from '../support/saving.ts';
import { Scene } from '../support/scene.ts';
import { Scrape } from '../support/scrape.ts';
import { TraceCollector } from '../support/trace-collector.ts';
import { append, joinWord } from '../support/word-editor.ts';

let collector: TraceCollector;
let scene: Scene;
let before: Scrape;
let during: Scrape;
let after: Scrape;
let key: string;

/** A document is opened, written by two people, viewed, left, and delivered at the second attempt. */
async function aDocumentsLife(): Promise<void> {
  key = scene.newKey();
  let attempts = 0;
  scene.integrator.answer(key, ({ status }) => {
    if (status === 1) return accepted;
    attempts += 1;
    return attempts === 1 ? { status: 500, body: '' } : accepted;
  });
  const ann = await joinWord(scene, key, 'ann');
  const bob = await joinWord(scene, key, 'bob', ann.client);
  const viewer = await scene.connect(key, { transport: 'plain' });
  viewer.send(scene.authMessage(key, 'eve', { mode: 'view', permissions: { edit: false } }));
  await viewer.next('documentOpen');
  const stranger = await scene.connect(scene.newKey());
  stranger.send(scene.authMessage('not a key', 'mallory'));
  await stranger.closed;
  // Bob wants to save while Ann may: he waits for his turn.
  await takeSaveLock(ann.client);
  bob.client.send({ type: 'isSaveLock', syncChangesIndex: 0 });
  const first = append('a', ann.doc, 0, ' by Ann');
  await save(ann.client, [first.change]);
  await bob.client.next('saveChanges');
  await bob.client.next('saveLock');
  await save(bob.client, [append('b', first.doc, 1, ' by Bob').change], {}, 1);
  during = await Scrape.of(scene.quire.address);
  await Promise.all([viewer.leave(), bob.client.leave()]);
  await ann.client.leave();
  await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
  await scene.integrator.waitForCallback(key, ({ status }) => status === 2);
}

beforeAll(async () => {
  collector = await TraceCollector.start();
  scene = await Scene.open({
    environment: {
      CONVERTER_PROCESSES: '1',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      TRACE_SAVES_EVERY: '1',
    },
  });
  before = await Scrape.of(scene.quire.address);
  await aDocumentsLife();
  // What the outbox holds is asked for once in some seconds only.
  after = await eventually(
    () => Scrape.of(scene.quire.address),
    (page) => page.sum('quire_stored_documents', { state: 'closed' }) === 1,
  );
});
afterAll(async () => {
  await scene?.close();
  await collector?.close();
});

const moved = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  after.sum(name, labels) - before.sum(name, labels);

describe('metrics', () => {
  it('[ME1] after a session each stage has counted what happened in it', () => {
    expect(moved('quire_messages_total', { type: 'auth' })).toBe(4);
    expect(moved('quire_sign_ins_refused_total')).toBe(1);
    expect(moved('quire_opening_seconds_count', { outcome: 'opened', document: 'new' })).toBe(1);
    expect(moved('quire_opening_seconds_count', { outcome: 'opened', document: 'known' })).toBe(2);
    expect(moved('quire_save_acknowledgement_seconds_count')).toBe(2);
    expect(moved('quire_change_commit_batches_sum')).toBe(2);
    expect(moved('quire_change_commit_duration_seconds_count')).toBe(2);
    expect(moved('quire_save_lock_wait_seconds_count', { outcome: 'granted' })).toBeGreaterThanOrEqual(3);
    expect(moved('quire_fan_out_recipients_count')).toBe(2);
    expect(moved('quire_fan_out_recipients_sum')).toBeGreaterThanOrEqual(2);
    expect(moved('quire_fan_out_encoding_seconds_count')).toBe(2);
    expect(moved('quire_fan_out_bytes_total')).toBeGreaterThan(100);
    for (const transport of ['engine_io', 'websocket']) {
      expect(moved('quire_received_bytes_total', { transport })).toBeGreaterThan(100);
      expect(moved('quire_sent_bytes_total', { transport })).toBeGreaterThan(100);
    }
    expect(moved('quire_callback_duration_seconds_count', { status: '2', accepted: 'false' })).toBe(1);
    expect(moved('quire_callback_duration_seconds_count', { status: '2', accepted: 'true' })).toBe(1);
    expect(moved('quire_deliveries_total', { status: '2', outcome: 'retried' })).toBe(1);
    expect(moved('quire_deliveries_total', { status: '2', outcome: 'accepted', to: 'integrator' })).toBe(1);
    expect(moved('quire_cache_hits_total', { cache: 'opened_sources' })).toBeGreaterThanOrEqual(1);
    expect(moved('quire_cache_misses_total', { cache: 'opened_sources' })).toBe(1);
    expect(moved('quire_http_request_seconds_count', { route: '/metrics', status: '200' })).toBeGreaterThan(
      0,
    );
  });

  it('[ME1] gauges tell of what is there now', () => {
    expect(during.sum('quire_documents')).toBe(1);
    expect(during.sum('quire_sessions', { kind: 'editor' })).toBe(2);
    expect(during.sum('quire_sessions', { kind: 'live_viewer' })).toBe(1);
    expect(during.sum('quire_connections', { transport: 'websocket' })).toBe(1);
    expect(during.sum('quire_database_connections', { state: 'allowed' })).toBe(10);
    expect(during.sum('quire_database_connections')).toBeGreaterThan(10);
    expect(after.sum('quire_sessions')).toBe(0);
    expect(after.sum('quire_outbox_callbacks')).toBe(0);
    expect(after.sum('quire_nodejs_eventloop_utilization_ratio')).toBeGreaterThan(0);
    expect(after.sum('quire_nodejs_gc_duration_seconds_count')).toBeGreaterThan(0);
  });

  it('[ME5] converters that the server started are on its page, added up', () => {
    expect(moved('quire_converter_job_seconds_count', { kind: 'open', outcome: 'done' })).toBe(1);
    expect(moved('quire_converter_job_seconds_count', { kind: 'assemble', outcome: 'done' })).toBe(1);
    expect(moved('quire_converter_job_wait_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(moved('quire_converter_engine_seconds_count', { engine: 'ooxml', task: 'assemble' })).toBe(1);
    expect(moved('quire_converter_process_cpu_seconds_total')).toBeGreaterThan(0);
  });

  it('[ME2] the page has every metric that is declared, and no other of ours', () => {
    const declared = declaredMetrics().map(({ name }) => name);
    const bare = [...after.names].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    for (const name of bare) expect(declared, name).toContain(name);
    expect(bare).toContain('quire_jobs');
    expect(bare).toContain('quire_oldest_job_seconds');
  });
});

it('[ME6] the numbers of connections are in info.json from the start', async () => {
  const answer = await fetch(`${scene.quire.address}/info/info.json`);
  const { connectionsStat } = (await answer.json()) as { connectionsStat: Record<string, unknown> };
  expect(Object.keys(connectionsStat)).toEqual(['hour', 'day', 'week', 'month']);
  expect(connectionsStat.hour).toMatchObject({
    edit: { min: 0, avr: expect.any(Number) },
    view: {},
    liveview: {},
  });
});

describe('traces', () => {
  it('[TC1] opening, saves, jobs of converters and callbacks are in traces, each with its document', async () => {
    const wanted = ['sign-in', 'opening', 'save', 'job open', 'job assemble', 'engine assemble', 'callback'];
    await eventually(
      async () => wanted.filter((name) => collector.named(name).length === 0),
      (missing) => missing.length === 0,
    );
    for (const name of ['sign-in', 'opening', 'save', 'job assemble', 'callback']) {
      expect(collector.named(name).map(({ attributes }) => attributes['quire.document'])).toContain(key);
    }
    expect(collector.named('save')).toHaveLength(2);
    expect(collector.named('GET /metrics')[0]!.attributes).toMatchObject({
      'http.response.status_code': expect.anything(),
    });
  });

  it('[TC2] the job of an opening belongs to the trace of who asked for it, across processes', () => {
    const [job] = collector.named('job open');
    const opening = collector.named('opening').find(({ traceId }) => traceId === job!.traceId)!;
    expect(job!.service).toBe('quire-converter');
    expect(opening.service).toBe('quire');
    expect(job!.parentSpanId).toBe(opening.spanId);
    const [engine] = collector.named('engine open');
    expect(engine!.parentSpanId).toBe(job!.spanId);
  });
});

describe('the log', () => {
  const lines = (msg: string) => scene.quire.log.filter((line) => line.msg === msg);

  it('[LG7] each line about a document or a session says which one', async () => {
    const here = { documentKey: key, connectionId: expect.any(String), sessionTag: expect.any(String) };
    await eventually(() => {
      expect(lines('A participant joined')).toContainEqual(expect.objectContaining(here));
      expect(lines('A connection ended')).toContainEqual(expect.objectContaining(here));
      expect(lines('A callback was not accepted')).toEqual([
        expect.objectContaining({ documentKey: key, status: 2, attempt: 1 }),
      ]);
      expect(lines('A job ended')).toContainEqual(
        expect.objectContaining({ documentKey: key, job: 'assemble', elapsedMs: expect.any(Number) }),
      );
    });
  });

  it('[LG8] requests are logged at debug, without what they were asked with', async () => {
    const request = await scene.quire.logged(
      ({ msg, path }) => msg === 'A request ended' && path === '/metrics',
    );
    expect(request).toMatchObject({ level: 'debug', method: 'GET', status: 200, isWhole: true });
    for (const { path } of lines('A request ended')) expect(String(path)).not.toContain('?');
  });
});
