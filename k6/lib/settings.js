const number = (name, fallback) => {
  const given = __ENV[name];
  if (given === undefined || given === '') return fallback;
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number: ${given}`);
  return value;
};
const choice = (name, ...values) => {
  const given = __ENV[name] || values[0];
  if (!values.includes(given)) throw new Error(`${name} is none of ${values.join(', ')}: ${given}`);
  return given;
};
const duration = (name, fallback) => {
  const given = __ENV[name] || fallback;
  const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(given);
  if (!match) throw new Error(`${name} is no time like 90s, 10m or 1h: ${given}`);
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2]];
};

/** The numbers that `quire load hour` goes by. */
const hour = JSON.parse(open('../../load/scenarios/hour.json'));
const [arrival] = hour.phases;
const hourS = hour.phases.reduce((sum, { forS }) => sum + forS, 0);
const everyS = (act) => arrival.turns.find(({ mix }) => mix[act]).everyS;
const limitMs = (of) => hour.thresholds.find(({ measure }) => measure.of === of).atMost;

const scale = number('SCALE', 0.01);
const durationMs = duration('DURATION', `${hourS}s`);

/** What is run: the environment, with the whole hour as what `SCALE=1` means. */
export const settings = {
  scale,
  baseUrl: (__ENV.QUIRE_URL || 'http://localhost:8000').replace(/\/$/, ''),
  transport: choice('TRANSPORT', 'socketio', 'plain'),
  /** `word`: changes the server can read, so that files are made of them; `other`: texts of no meaning to it. */
  model: choice('MODEL', 'word', 'other'),
  documentUrl: __ENV.DOCUMENT_URL || '',
  callbackUrl: __ENV.CALLBACK_URL || '',
  secret: __ENV.JWT_SECRET || '',
  connections: Math.max(1, Math.round(arrival.people * scale)),
  connectionsPerVu: Math.max(1, number('CONNECTIONS_PER_VU', 50)),
  usersPerDocument: Math.max(1, number('USERS_PER_DOCUMENT', hour.documents.peopleEach)),
  savesPerMinute: number('SAVES_PER_MINUTE', 60 / everyS('save')),
  changesPerSave: Math.max(1, number('CHANGES_PER_SAVE', hour.changesPerSave)),
  closePercentPerMinute: number('CLOSE_PERCENT_PER_MINUTE', 6_000 / everyS('close')),
  durationMs,
  /** In this time all connections are opened; the last tenth of the run opens none. */
  rampMs: Math.min(duration('RAMP', `${((durationMs / 1_000) * arrival.forS) / hourS}s`), durationMs / 2),
  limits: {
    openP95Ms: number('OPEN_P95_MS', limitMs('open')),
    saveP99Ms: number('SAVE_P99_MS', limitMs('save')),
    deliveryP99Ms: number('DELIVERY_P99_MS', 200),
  },
  summaryDirectory: __ENV.SUMMARY_DIR || '',
};
