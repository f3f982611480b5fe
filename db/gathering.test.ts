import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Gathering } from './gathering.ts';

/** Work that notes its statements. A statement that has `bad` in it fails; `end` ends the one that is under way. */
function noted() {
  const statements: string[] = [];
  const ends: (() => void)[] = [];
  const state = async (tasks: readonly string[]): Promise<string[]> => {
    statements.push(tasks.join(' '));
    await new Promise<void>((resolve) => ends.push(resolve));
    if (tasks.some((task) => task.includes('bad'))) throw new Error(`not ${tasks.join(' ')}`);
    return tasks.map((task) => task.toUpperCase());
  };
  const gathering = new Gathering<string, string>({
    alone: async (task) => (await state([task]))[0]!,
    together: state,
    nameOf: (task) => task.slice(0, 1),
  });
  const end = async (count: number) => {
    while (ends.length < count) await new Promise((resolve) => setImmediate(resolve));
    for (const one of ends.splice(0)) one();
  };
  return { gathering, statements, end };
}

describe('[OP13] tasks that come together', () => {
  test('share a statement, and those that come while it is under way the next one', async () => {
    const { gathering, statements, end } = noted();
    const first = ['a1', 'b1'].map((task) => gathering.do(task));
    await new Promise((resolve) => setImmediate(resolve));
    const second = ['c1', 'd1', 'e1'].map((task) => gathering.do(task));
    await end(1);
    await end(1);
    expect(await Promise.all([...first, ...second])).toEqual(['A1', 'B1', 'C1', 'D1', 'E1']);
    expect(statements).toEqual(['a1 b1', 'c1 d1 e1']);
  });

  test('are in different statements when they have the same name', async () => {
    const { gathering, statements, end } = noted();
    const all = ['a1', 'a2', 'b1'].map((task) => gathering.do(task));
    await end(1);
    await end(1);
    expect(await Promise.all(all)).toEqual(['A1', 'A2', 'B1']);
    expect(statements).toEqual(['a1 b1', 'a2']);
  });

  test('do not fail with one of them', async () => {
    const { gathering, end } = noted();
    const all = ['a1', 'bad', 'c1'].map((task) => gathering.do(task));
    const settled = Promise.allSettled(all);
    await end(1);
    await end(3);
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 'A1' },
      { status: 'rejected', reason: new Error('not bad') },
      { status: 'fulfilled', value: 'C1' },
    ]);
  });

  test('[NC11] do not wait for a statement that takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { gathering, statements, end } = noted();
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const locked = gathering.do('a1');
    await turn();
    const others = ['b1', 'c1'].map((task) => gathering.do(task));
    await turn();
    expect(statements).toEqual(['a1']);
    vi.advanceTimersByTime(100);
    await turn();
    expect(statements).toEqual(['a1', 'b1 c1']);
    await end(2);
    expect(await Promise.all([locked, ...others])).toEqual(['A1', 'B1', 'C1']);
  });

  test('[NC11] are in four statements at once at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { gathering, statements, end } = noted();
    const all: Promise<string>[] = [];
    for (const task of ['a1', 'b1', 'c1', 'd1', 'e1', 'f1']) {
      all.push(gathering.do(task));
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(100);
    }
    expect(statements).toEqual(['a1', 'b1', 'c1', 'd1']);
    await end(4);
    await end(1);
    expect(statements.slice(4)).toEqual(['e1 f1']);
    expect(await Promise.all(all)).toEqual(['A1', 'B1', 'C1', 'D1', 'E1', 'F1']);
  });
});
