import { expect, it } from 'vitest';
import { officeTask } from './office-options.ts';

it('[XS218] the file that pages are made of is called as it is wished, where that is a name in the directory', async () => {
  const nameFor = async (fileName?: string) => {
    const { task, files } = await officeTask(
      { fromType: 'xlsx', toType: 'pdf', options: { fileName } },
      new Uint8Array(),
    );
    expect(files.map(({ name }) => name)).toEqual([task.source.file]);
    return task.source.file;
  };
  expect(await nameFor()).toBe('source.xlsx');
  expect(await nameFor('Größe 2026.ods')).toBe('Größe 2026.ods');
  expect(await nameFor('../../a\u0000\ud800\\b.xlsx')).toBe('__.._a___b.xlsx');
  expect(await nameFor('..')).toBe('_');
  expect(await nameFor('result.pdf')).toBe('source.xlsx');
  const long = await nameFor(`${'ß'.repeat(300)}.xlsx`);
  expect(long).toBe(`${'ß'.repeat(100)}.xlsx`);
});
