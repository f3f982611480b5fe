import { flag, integer } from '../setting.ts';

const dayMs = 86_400_000;

/** How long things wait in the life of a document. */
export const lifecycleSettings = {
  closingGraceMs: integer(
    'CLOSING_GRACE_MS',
    5_000,
    { min: 0, max: dayMs },
    'How long after the last editor left a document is assembled, milliseconds.',
  ),
  reconnectGraceMs: integer(
    'RECONNECT_GRACE_MS',
    10_000,
    { min: 0, max: dayMs },
    'How long after a start editors of the time before may come back before their documents are closed, milliseconds.',
  ),
  assemblyFormatAsOrigin: flag(
    'ASSEMBLY_FORMAT_AS_ORIGIN',
    true,
    'Whether changed documents are saved in the format they came in, where it can be written; else as docx, xlsx or pptx.',
  ),
  firstEditorPatienceMs: integer(
    'FIRST_EDITOR_PATIENCE_MS',
    10_000,
    { min: 100, max: 60_000 },
    'How long a lone editor may be silent while somebody waits to come in, before the newcomer is let in, milliseconds.',
  ),
  saveLockLeaseMs: integer(
    'SAVE_LOCK_LEASE_MS',
    60_000,
    { min: 1_000, max: dayMs },
    'How long an editor may hold the save lock, milliseconds; a third of it while others wait for it.',
  ),
  forceSaveIntervalMs: integer(
    'FORCE_SAVE_INTERVAL_MS',
    0,
    { min: 0, max: dayMs },
    'How long a change may wait before it is in the storage while people edit the document, milliseconds, for integrators that do not say it themselves (`editorConfig.quireStoreWithinS`); 0: until somebody asks or everybody has left.',
  ),
  forceSaveLeastMs: integer(
    'FORCE_SAVE_LEAST_MS',
    5_000,
    { min: 100, max: dayMs },
    'Shortest such time that an integrator can ask for, milliseconds; a shorter one is raised to it.',
  ),
  callbackTimeoutMs: integer(
    'CALLBACK_TIMEOUT_MS',
    600_000,
    { min: 100, max: dayMs },
    'How long an integrator may take to answer a callback, milliseconds.',
  ),
  callbackRouting: flag(
    'CALLBACK_ROUTING',
    false,
    'Whether `shardkey`, `WOPISrc` and `usid` are added to the query of callback addresses, for integrators that read them there. Signed addresses do not bear it.',
  ),
  callbackRetryForMs: integer(
    'CALLBACK_RETRY_FOR_MS',
    3_600_000,
    { min: 0, max: 30 * dayMs },
    'How long a failing callback is retried before the document goes to forgotten storage, from its first attempt at the address of the integrator, milliseconds.',
  ),
  callbackRetryPauseMs: integer(
    'CALLBACK_RETRY_PAUSE_MS',
    1_000,
    { min: 50, max: 300_000 },
    'Pause after the first failed attempt at a callback, milliseconds; it doubles with every further one, up to five minutes.',
  ),
  tidyAfterMs: integer(
    'TIDY_AFTER_MS',
    dayMs,
    { min: 3_600_000, max: 365 * dayMs },
    'How long documents without changes, delivered callbacks and files that nothing names are kept after their last use, milliseconds; at least an hour (3600000), at most a year.',
  ),
  tidyEveryMs: integer(
    'TIDY_EVERY_MS',
    3_600_000,
    { min: 0, max: dayMs },
    'How often they are looked for, milliseconds; 0: never.',
  ),
  conversionCacheMs: integer(
    'CONVERSION_CACHE_MS',
    dayMs,
    { min: 60_000, max: 365 * dayMs },
    'How long the result of a conversion is used for the same conversion again, milliseconds.',
  ),
  conversionCacheBytes: integer(
    'CONVERSION_CACHE_BYTES',
    10 * 1024 ** 3,
    { min: 0, max: 1024 ** 5 },
    'What the sources and results of conversions may take, bytes; when they are tidied, those go first that nobody has asked for the longest, but none to which a link still works. 0: no limit.',
  ),
  retirementWaitMs: integer(
    'RETIREMENT_WAIT_MS',
    120_000,
    { min: 0, max: dayMs },
    'How long `PUT /internal/cluster/inactive` waits until every document is delivered, milliseconds.',
  ),
  temporaryLinkLifeS: integer(
    'TEMPORARY_LINK_LIFE_S',
    900,
    { min: 10, max: 30 * 86_400 },
    'How long the link to a result works, seconds.',
  ),
};
