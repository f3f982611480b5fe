import { describe, expect, it } from 'vitest';
import { violationsIn } from '../support/histories/checker.ts';
import { document, ToldRun } from '../support/histories/told-run.ts';

/** Two people in a document who saw each other's changes; the document is open still. */
function twoPeople(): ToldRun {
  const run = new ToldRun();
  run.joins('ann');
  run.enters('ann', { participants: [{ id: 'ann1' }] });
  run.joins('bob');
  run.enters('bob', { participants: [{ id: 'ann1' }, { id: 'bob1' }] });
  run.hears('ann', {
    type: 'connectState',
    participantsTimestamp: 1,
    participants: [{ id: 'ann1' }, { id: 'bob1' }],
  });
  run.saved('ann', 0, ['a', 'b'], 'bob');
  run.saved('bob', 2, ['c'], 'ann');
  return run;
}

/** Two people, of whom the first was overtaken by the second and saved again, which was not acknowledged yet. */
function overtaken(): ToldRun {
  const run = twoPeople();
  run.sends('ann', { type: 'isSaveLock', syncChangesIndex: 3 });
  run.hears('ann', { type: 'saveLock', saveLock: false });
  run.sendsSave('ann', ['e, at another place']);
  run.saved('bob', 3, ['d'], 'ann');
  run.hears('ann', { type: 'saveLock', saveLock: true });
  run.sends('ann', { type: 'isSaveLock', syncChangesIndex: 4 });
  run.hears('ann', { type: 'saveLock', saveLock: false });
  run.sendsSave('ann', ['e']);
  run.appends(4, 'ann1', 'e');
  run.shows('bob', 'ann', 4, ['e']);
  return run;
}

/** Somebody alone, who saved `a b` and replaced it by `a c` when a viewer had been shown `a b`. */
function oneWhoIsLookedAt(): ToldRun {
  const run = new ToldRun();
  run.joins('ann', 'other');
  run.enters('ann', { participants: [{ id: 'ann1' }] });
  run.joins('vic', 'viewer');
  run.enters('vic', { participants: [{ id: 'ann1' }, { id: 'vic1', view: true }] });
  run.saved('ann', 0, ['a', 'b'], 'vic');
  run.sendsSave('ann', ['c'], { deleteIndex: 1 });
  run.writes(
    { table: 'batches', gone: true, firstIndex: 0, nextIndex: 2, author: 'ann1', changes: [] },
    { table: 'batches', gone: false, firstIndex: 0, nextIndex: 1, author: 'ann1', changes: ['a'] },
    { table: 'batches', gone: false, firstIndex: 1, nextIndex: 2, author: 'ann1', changes: ['c'] },
    document('open', 2),
  );
  run.acknowledges('ann', 2);
  return run;
}

const all = ['a', 'b', 'c'];

/** What a run broke: the invariants, without repeats. */
const broken = (run: ToldRun) => [...new Set(violationsIn(run.evidence).map(({ invariant }) => invariant))];

describe('the checker of histories', () => {
  it('[FH1] accepts a run in which everything was right, handed over or forgotten', () => {
    const taken = twoPeople();
    taken.rests();
    taken.isTaken(all);
    expect(violationsIn(taken.evidence)).toEqual([]);
    const forgotten = twoPeople();
    forgotten.rests();
    forgotten.isForgotten(3);
    expect(violationsIn(forgotten.evidence)).toEqual([]);
  });

  it('[FH1] accepts what the protocol allows: going on, repeating, taking back alone, a lock that passes on', () => {
    const run = new ToldRun();
    run.joins('ann', 'other');
    run.enters('ann');
    run.saved('ann', 0, ['a', 'x']);
    run.sendsSave('ann', ['b'], { deleteIndex: 1 });
    run.writes(
      { table: 'batches', gone: true, firstIndex: 0, nextIndex: 2, author: 'ann1', changes: [] },
      { table: 'batches', gone: false, firstIndex: 0, nextIndex: 1, author: 'ann1', changes: ['a'] },
      { table: 'batches', gone: false, firstIndex: 1, nextIndex: 2, author: 'ann1', changes: ['b'] },
      document('open', 2),
    );
    run.acknowledges('ann', 2);
    run.joins('bob');
    run.hears('bob', {
      type: 'authChanges',
      changes: ['a', 'b'].map((change) => ({ change: JSON.stringify(change), user: 'ann1' })),
    });
    run.enters('bob');
    run.asksLock('ann', 'p');
    run.getsLock('ann', 'p');
    run.sendsSave('ann', ['c']);
    run.loses('ann');
    run.appends(2, 'ann1', 'c');
    run.shows('bob', 'ann', 2, ['c']);
    run.asksLock('bob', 'p');
    run.getsLock('bob', 'p');
    run.saved('bob', 3, ['d']);
    run.connects('ann');
    run.sends('ann', { type: 'auth', sessionId: 'session of ann' });
    run.shows('ann', 'bob', 3, ['d']);
    run.enters('ann');
    run.sendsSave('ann', ['c'], { reSave: 2 });
    run.acknowledges('ann', 3);
    run.isForgotten(4);
    expect(violationsIn(run.evidence)).toEqual([]);
  });

  it('[FH1] accepts that a save is overtaken, and made again behind the others', () => {
    const run = overtaken();
    run.acknowledges('ann', 5);
    run.isTaken([...all, 'd', 'e']);
    expect(violationsIn(run.evidence)).toEqual([]);
  });

  it('[FH2] refuses an acknowledgement of a save that was overtaken, and not made again (I1)', () => {
    const run = overtaken();
    run.acknowledges('ann', 5);
    run.sends('ann', { type: 'isSaveLock', syncChangesIndex: 5 });
    run.hears('ann', { type: 'saveLock', saveLock: false });
    run.sendsSave('ann', ['f']);
    run.acknowledges('ann', 6);
    run.isForgotten(5);
    expect(broken(run)).toContain('I1');
  });

  it('[FH2] refuses an acknowledgement of what was never stored (I1)', () => {
    const run = twoPeople();
    run.sendsSave('ann', ['d']);
    run.acknowledges('ann', 4);
    run.isForgotten(3);
    expect(broken(run)).toContain('I1');
  });

  it('[FH2] refuses an acknowledgement that came before the commit (I1)', () => {
    const run = twoPeople();
    run.sendsSave('ann', ['d']);
    run.acknowledges('ann', 4);
    run.appends(3, 'ann1', 'd');
    run.shows('bob', 'ann', 3, ['d']);
    run.isForgotten(4);
    expect(broken(run)).toEqual(['I1']);
  });

  it('[FH2] refuses the loss of what was acknowledged (I1)', () => {
    const run = twoPeople();
    run.cuts(2, 3, 'bob1');
    run.isForgotten(2);
    expect(broken(run)).toContain('I1');
  });

  it('[FH2] refuses that somebody takes back what another one saved (I1)', () => {
    const run = twoPeople();
    run.sends('ann', { type: 'unLockDocument', deleteIndex: 2 });
    run.cuts(2, 3, 'bob1');
    run.isForgotten(2);
    expect(broken(run)).toContain('I1');
  });

  it('[FH3] refuses a log with a gap, with an overlap, or of another length than its document says (I2)', () => {
    for (const [first, says] of [
      [4, 5],
      [2, 3],
      [3, 9],
    ] as const) {
      const run = twoPeople();
      run.writes(document('open', says), {
        ...{
          table: 'batches',
          gone: false,
          firstIndex: first,
          nextIndex: first + 1,
          author: 'ann1',
          changes: ['d'],
        },
      });
      run.isForgotten(4);
      expect(broken(run)).toContain('I2');
    }
  });

  it('[FH4] refuses a change that is left out, comes twice, or out of order (I3)', () => {
    for (const told of [
      [[4, 'e']],
      [
        [3, 'd'],
        [3, 'd'],
      ],
      [
        [4, 'e'],
        [3, 'd'],
      ],
    ] as const) {
      const run = twoPeople();
      run.saved('ann', 3, ['d']);
      run.saved('ann', 4, ['e']);
      for (const [index, change] of told) run.shows('bob', 'ann', index, [change]);
      run.isForgotten(5);
      expect(broken(run)).toEqual(['I3']);
    }
  });

  it('[FH4] refuses a change the log never had at its place, and one that never comes (I3)', () => {
    const wrong = twoPeople();
    wrong.saved('ann', 3, ['d']);
    wrong.shows('bob', 'ann', 3, ['D']);
    wrong.isForgotten(4);
    expect(broken(wrong)).toEqual(['I3']);
    const missing = twoPeople();
    missing.saved('ann', 3, ['d']);
    missing.rests();
    missing.isForgotten(4);
    expect(broken(missing)).toEqual(['I3']);
  });

  it('[FH12] accepts that a viewer sees less, and that it is told to open anew when the log is rewritten', () => {
    const run = oneWhoIsLookedAt();
    run.hears('vic', { type: 'error', code: 4010, description: '' });
    run.joins('vic');
    run.hears('vic', {
      type: 'authChanges',
      changes: ['a', 'c'].map((change) => ({ change: JSON.stringify(change), user: 'ann1' })),
    });
    run.enters('vic');
    run.saved('ann', 2, ['d']);
    run.isForgotten(3);
    expect(violationsIn(run.evidence)).toEqual([]);
  });

  it('[FH12] refuses that a viewer is shown what never was the document together, or what does not follow (I3)', () => {
    const mixed = oneWhoIsLookedAt();
    mixed.saved('ann', 2, ['d'], 'vic');
    mixed.isForgotten(3);
    expect(broken(mixed)).toEqual(['I3']);
    const leftOut = oneWhoIsLookedAt();
    leftOut.saved('ann', 2, ['d']);
    leftOut.saved('ann', 3, ['e'], 'vic');
    leftOut.isForgotten(4);
    expect(broken(leftOut)).toEqual(['I3']);
    const stale = oneWhoIsLookedAt();
    stale.rests();
    stale.isForgotten(2);
    expect(broken(stale)).toContain('I3');
  });

  it('[FH12] refuses that a viewer counts as an editor', () => {
    const run = oneWhoIsLookedAt();
    run.hears('vic', { type: 'error', code: 4010, description: '' });
    const participants = [{ id: 'ann1' }, { id: 'vic1' }];
    run.hears('ann', { type: 'connectState', participantsTimestamp: 2, participants });
    run.rests();
    run.isForgotten(2);
    expect(broken(run)).toEqual(['presence']);
  });

  it('[FH5] refuses two who both hold a lock and are both answered as its holder (I4)', () => {
    const run = twoPeople();
    run.asksLock('ann', 'p');
    run.getsLock('ann', 'p');
    run.asksLock('bob', 'p');
    run.getsLock('bob', 'p');
    // That another one has it as well does not tell the first that it has it no longer.
    run.getsLock('ann', 'p', 'bob');
    run.saved('ann', 3, ['d'], 'bob');
    run.isForgotten(4);
    expect(broken(run)).toEqual(['I4']);
  });

  it('[FH5] does not refuse a holder that was told of the loss before it was answered, or never was (I4)', () => {
    const run = twoPeople();
    run.asksLock('ann', 'p');
    run.getsLock('ann', 'p');
    run.asksLock('bob', 'p');
    run.getsLock('bob', 'p');
    run.hears('ann', { type: 'releaseLock', locks: [{ block: 'p', user: 'ann1', time: 1 }] });
    run.saved('ann', 3, ['d'], 'bob');
    run.loses('ann');
    run.isForgotten(4);
    expect(broken(run)).toEqual([]);
  });

  it('[FH5] does not refuse a holder that gave its locks back before it heard of the grant (I4)', () => {
    const run = twoPeople();
    run.asksLock('ann', 'p');
    run.sendsSave('ann', ['d'], { releaseLocks: true });
    run.getsLock('ann', 'p');
    run.appends(3, 'ann1', 'd');
    run.acknowledges('ann', 4);
    run.shows('bob', 'ann', 3, ['d']);
    run.asksLock('bob', 'p');
    run.getsLock('bob', 'p');
    run.saved('ann', 4, ['e'], 'bob');
    run.isForgotten(5);
    expect(broken(run)).toEqual([]);
  });

  it('[FH6] refuses a batch that is stored twice (I5)', () => {
    const run = twoPeople();
    run.appends(3, 'bob1', 'c');
    run.shows('ann', 'bob', 3, ['c']);
    run.shows('bob', 'bob', 3, ['c']);
    run.isForgotten(4);
    expect(broken(run)).toEqual(['I5']);
  });

  it('[FH7] refuses changes that nobody was handed, or that were deleted before (I6)', () => {
    const open = twoPeople();
    open.documents = [{ key: 'k', state: 'open', nextIndex: 3, sourceHash: null, forgotten: null }];
    expect(broken(open)).toEqual(['I6']);
    const unconfirmed = twoPeople();
    unconfirmed.isTaken(all);
    const receipt = unconfirmed.events.findIndex(({ kind }) => kind === 'receives');
    unconfirmed.events[receipt] = { ...unconfirmed.events[receipt]!, accepts: false } as never;
    expect(broken(unconfirmed)).toEqual(['I6']);
    const partly = twoPeople();
    partly.isTaken(all);
    partly.saves = partly.saves.map((save) => ({ ...save, endIndex: 2 }));
    expect(broken(partly)).toContain('I6');
  });

  it('[FH7] refuses forgotten work without its base file or its log, and saves that are never ended (I6)', () => {
    const baseless = twoPeople();
    baseless.isForgotten(3);
    baseless.blobs = [];
    expect(broken(baseless)).toEqual(['I6']);
    const waiting = twoPeople();
    waiting.isTaken(all);
    waiting.saves = waiting.saves.map((save) => ({ ...save, state: 'pending' }));
    expect(broken(waiting)).toEqual(['I6']);
  });

  it('[FH8] refuses other bytes for the same save, an older file after a newer one, and a wrong file (I7)', () => {
    const bytes = twoPeople();
    bytes.isTaken(all);
    bytes.receives(bytes.saves[0]!.resultHash!, all, { sha256: 'other' });
    expect(broken(bytes)).toEqual(['I7']);
    const older = twoPeople();
    older.isTaken(all);
    older.saves.push({ id: '0', key: 'k', status: 6, state: 'delivered', endIndex: 2, resultHash: 'older' });
    older.receives('older', ['a', 'b']);
    expect(broken(older)).toEqual(['I7']);
    const wrong = twoPeople();
    wrong.events[0] = { ...wrong.events[0]!, family: 'word' } as never;
    wrong.isTaken(all);
    wrong.receives(wrong.saves[0]!.resultHash!, ['a', 'c']);
    expect(broken(wrong)).toEqual(['I7']);
  });

  it('[FH9] refuses a question that is not answered while nothing is broken, not one that a fault explains', () => {
    const unanswered = twoPeople();
    unanswered.sends('ann', { type: 'isSaveLock', syncChangesIndex: 3 });
    unanswered.passes(30_000);
    unanswered.isForgotten(3);
    unanswered.rests();
    expect(broken(unanswered)).toEqual(['answers']);
    const explained = twoPeople();
    explained.sends('ann', { type: 'isSaveLock', syncChangesIndex: 3 });
    explained.happens({ kind: 'fault', name: 'pause', phase: 'begins', detail: '' });
    explained.passes(30_000);
    explained.happens({ kind: 'fault', name: 'pause', phase: 'ends', detail: '' });
    explained.isForgotten(3);
    expect(broken(explained)).toEqual([]);
  });

  it('[FH9] refuses documents that differ at rest, wrong lists of participants, and waits in vain', () => {
    const differs = twoPeople();
    differs.happens({ kind: 'shows', client: 'bob', texts: ['a', 'b', 'C'] });
    differs.isForgotten(3);
    expect(broken(differs)).toEqual(['convergence']);
    const ghosts = twoPeople();
    ghosts.hears('ann', {
      type: 'connectState',
      participantsTimestamp: 2,
      participants: [{ id: 'ann1' }, { id: 'bob1' }, { id: 'carol1' }],
    });
    ghosts.rests();
    ghosts.isForgotten(3);
    expect(broken(ghosts)).toEqual(['presence']);
    const waits = twoPeople();
    waits.isForgotten(3);
    waits.happens({ kind: 'waits', what: 'everybody to be in' });
    expect(broken(waits)).toEqual(['answers']);
  });
});
