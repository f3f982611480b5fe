import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '../../../platform/running-process.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { installFakeX2t, startX2t } from '../../../test/support/x2t.ts';
import { EngineEnded } from '../../errors.ts';
import { LaneLimit } from '../concurrency-limits.ts';
import type { EngineLane } from '../conversion-engine.ts';
import { paramsXml, type X2tJob } from './params.ts';
import { withFixedTimes, type X2tEngineOptions } from './x2t-engine.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-engine-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** An engine whose jobs are what a shell script does. */
async function engineThat(job: string, options: Partial<X2tEngineOptions> = {}) {
  const installation = await installFakeX2t(path.join(directory, 'x2t'), job);
  return startX2t(installation, { dataDir: directory, ...options });
}

const docx = { bytes: Buffer.from('a file'), fileType: 'docx' };

describe('a job of x2t', () => {
  it('[XT5] gives the document and every file beside it by its path', async () => {
    const engine = await engineThat(
      'mkdir out/media; cp in/source.docx out/Editor.bin; printf picture > out/media/image1.png',
    );
    const { document, media } = await engine.open(docx);
    expect(Buffer.from(document).toString()).toBe('a file');
    expect(media.map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['media/image1.png', 'picture'],
    ]);
  });

  it('[XT5] gets the changes as one file for each author, with the pictures beside the base', async () => {
    const engine = await engineThat('(cat in/Editor.bin in/changes/*.json; ls in/media) > out/output.odt');
    const bytes = await engine.assemble({
      document: Buffer.from('base'),
      media: [['media/a.png', Buffer.from('a')]],
      changes: ['["one"]', '["two","three"]'],
      toType: 'odt',
    });
    expect(Buffer.from(bytes).toString()).toBe('base["one"]["two","three"]a.png\n');
  });

  it('[XT5] leaves no directory behind, and writes to none but its own', async () => {
    const engine = await engineThat('pwd > out/output.txt');
    const place = Buffer.from(await engine.convert(docx, 'txt'))
      .toString()
      .trim();
    await expect(readdir(place)).rejects.toThrow(/ENOENT/);
    const media = [['../../escaped', Buffer.from('x')]] as const;
    await expect(
      engine.assemble({ document: docx.bytes, media, changes: [], toType: 'docx' }),
    ).rejects.toThrow('leads out');
  });

  it.each([
    [82, 'unknownFormat', -82],
    [86, 'corrupted', -86],
    [88, 'unknownFormat', -82],
    [90, 'passwordRequired', -90],
    [91, 'wrongPassword', -91],
    [93, 'limits', -93],
    [96, 'limits', -93],
    [80, 'convert', -80],
    [1, 'convert', -80],
  ])('[XT6] that ends with %i failed as %s', async (exitCode, code, serviceError) => {
    const engine = await engineThat(`echo it said this >&2; exit ${exitCode}`);
    await expect(engine.open(docx)).rejects.toMatchObject({
      code,
      serviceError,
      message: expect.not.stringContaining('it said'),
      cause: { message: `x2t ended with ${exitCode}: it said this` },
    });
  });

  it('[XT6] that cannot make out a file says so: only plain text needs an encoding', async () => {
    const engine = await engineThat('exit 89');
    await expect(engine.open(docx)).rejects.toMatchObject({ serviceError: -86 });
    await expect(engine.open({ ...docx, fileType: 'csv' })).rejects.toMatchObject({ serviceError: -89 });
  });

  it('[XT6] that crashes, or writes nothing, failed', async () => {
    const crashing = await engineThat('kill -SEGV $$');
    await expect(crashing.open(docx)).rejects.toMatchObject({
      serviceError: -80,
      cause: { message: /SIGSEGV/ },
    });
    const idle = await engineThat('exit 0');
    await expect(idle.open(docx)).rejects.toMatchObject({
      serviceError: -80,
      cause: { message: /wrote nothing/ },
    });
    await expect(idle.convert(docx, 'doc')).rejects.toMatchObject({ serviceError: -82 });
  });

  it('[XT7] that takes too long is killed, with everything it started', async () => {
    const pids = path.join(directory, 'pids');
    const engine = await engineThat(`sleep 600 & echo $! $$ > ${pids}; wait`, { timeoutMs: 700 });
    await expect(engine.open(docx)).rejects.toThrow(EngineEnded);
    const started = (await readFile(pids, 'utf8')).trim().split(' ').map(Number);
    expect(started).toHaveLength(2);
    for (const pid of started) {
      await eventually(
        async () => isRunning(pid),
        (alive) => !alive,
      );
    }
  });

  it('[XT7] that writes too much is ended', async () => {
    const limits = { resultBytes: 100_000 };
    const large = await engineThat('head -c 200000 /dev/zero > out/Editor.bin', limits);
    await expect(large.open(docx)).rejects.toMatchObject({ serviceError: expect.any(Number) });
    const many = await engineThat(
      'for i in 1 2 3; do head -c 40000 /dev/zero > out/$i; done; touch out/Editor.bin',
      limits,
    );
    await expect(many.open(docx)).rejects.toMatchObject({ serviceError: -93 });
  });

  it('[XT7] that asks for too much memory is ended', async () => {
    const limit = await engineThat('ulimit -d > out/output.txt', { memoryMb: 77 });
    expect(Buffer.from(await limit.convert(docx, 'txt')).toString()).toBe(`${77 * 1_024}\n`);
  });

  it('[XT8] knows nothing of the settings and secrets of the server', async () => {
    process.env.QUIRE_TEST_SECRET = 'a secret';
    try {
      const engine = await engineThat('env > out/output.txt');
      expect(Buffer.from(await engine.convert(docx, 'txt')).toString()).not.toContain('QUIRE_TEST_SECRET');
    } finally {
      delete process.env.QUIRE_TEST_SECRET;
    }
  });

  it('[XT9] waits while as many run as the machine has cores', async () => {
    const busy = path.join(directory, 'busy');
    await writeFile(busy, '');
    const engine = await engineThat(
      `echo + >> ${busy}; while [ ! -e ${directory}/go ]; do sleep 0.05; done; touch out/Editor.bin`,
    );
    const started = async () => (await readFile(busy, 'utf8')).length / 2;
    const cores = os.availableParallelism();
    const jobs = Array.from({ length: cores + 2 }, () => engine.open(docx));
    await eventually(started, (count) => count === cores);
    await writeFile(path.join(directory, 'go'), '');
    await Promise.all(jobs);
    expect(await started()).toBe(cores + 2);
  });
});

describe('the times of zip files', () => {
  const at = (time: string) =>
    zipSync({ 'a.xml': Buffer.from('one'), 'b/c.xml': Buffer.from('two') }, { mtime: time });

  it('[XT25] are fixed, so that the same content is the same bytes; it can be read as before', () => {
    const fixed = withFixedTimes(at('2020-02-03T04:05:06Z'));
    expect(Buffer.compare(fixed, withFixedTimes(at('2031-12-30T21:22:24Z')))).toBe(0);
    expect(Buffer.from(unzipSync(fixed)['b/c.xml']!).toString()).toBe('two');
  });

  it('[XT25] are nothing where there is no zip file', () => {
    for (const bytes of [
      Buffer.from('{\\rtf1}'),
      at('2020-02-03T04:05:06Z').subarray(0, 60),
      Buffer.alloc(0),
    ]) {
      expect(withFixedTimes(bytes)).toEqual(bytes);
    }
  });
});

describe('places of lanes', () => {
  it('[XT9] never let more work run than they should, and keep the order of those who wait', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ steps: fc.nat(5), fails: fc.boolean() }), { maxLength: 20 }),
        async (count, works) => {
          const limit = new LaneLimit(count);
          const begun: number[] = [];
          let running = 0;
          const results = works.map(({ steps, fails }, index) =>
            limit.run(async () => {
              begun.push(index);
              running += 1;
              expect(running).toBeLessThanOrEqual(count);
              for (let step = 0; step < steps; step += 1) await Promise.resolve();
              running -= 1;
              if (fails) throw new Error('no');
            }),
          );
          await Promise.allSettled(results);
          expect(begun).toEqual(works.map((_, index) => index));
        },
      ),
    );
  });

  it('[JP14] always has a place for a save, which goes before all others', async () => {
    const limit = new LaneLimit(1);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (name: string, lane: EngineLane) =>
      limit.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      }, lane);
    const all = [
      ...['opening 1', 'opening 2'].map((name) => begin(name, 'interactive')),
      ...['save 1', 'save 2'].map((name) => begin(name, 'saving')),
    ];
    const reached = async (count: number) => {
      while (begun.length < count) await Promise.resolve();
    };
    await reached(2);
    expect(begun).toEqual(['opening 1', 'save 1']);
    for (const next of ['save 2', 'opening 2']) {
      ends.at(-1)!();
      if (next === 'opening 2') ends[0]!();
      await reached(next === 'save 2' ? 3 : 4);
      expect(begun.at(-1)).toBe(next);
    }
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('[JP8] lets what somebody waits for pass, by one place more when batch work has taken them', async () => {
    const limit = new LaneLimit(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (name: string, lane: EngineLane) =>
      limit.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      }, lane);
    const all = [
      ...['batch 1', 'batch 2', 'batch 3'].map((name) => begin(name, 'batch')),
      ...['person 1', 'person 2'].map((name) => begin(name, 'interactive')),
    ];
    const reached = async (count: number) => {
      while (begun.length < count) await Promise.resolve();
    };
    await reached(3);
    expect(begun).toEqual(['batch 1', 'batch 2', 'person 1']);
    ends.shift()!();
    await reached(4);
    expect(begun.at(-1)).toBe('person 2');
    for (const end of ends) end();
    await reached(5);
    ends.at(-1)!();
    await Promise.all(all);
  });
});

describe('the file that says what x2t is to do', () => {
  const job: X2tJob = {
    from: '/a/b',
    to: '/a/c',
    format: 65,
    fontsDirectory: '/fonts',
    temporaryDirectory: '/a/temporary',
    fromChanges: false,
    options: {},
  };

  it('[XT10] holds any password as a text and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (password) => {
        const xml = paramsXml({ ...job, options: { password } });
        const inside = /<m_sPassword>(.*?)<\/m_sPassword>/su.exec(xml)?.[1];
        expect(inside).not.toMatch(/[<>"\0-\b]|&(?!amp;|lt;|gt;|quot;)/);
        expect(xml.match(/<m_sPassword>/g)).toHaveLength(1);
      }),
    );
  });

  it('[XT10] forbids it to fetch addresses that documents name', () => {
    expect(paramsXml(job)).toContain('<options><allowNetworkRequest>false</allowNetworkRequest></options>');
  });
});
