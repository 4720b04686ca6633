import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatasets } from '../../../src/app/history/index.ts';
import { dataFolder, ID } from './dataset-fixture.ts';
import { line, person } from './fixture.ts';

const idsIn = (root: string): string[] => openDatasets(root).datasets.map(({ id }) => id);

describe('tradewind data remove', () => {
  it('shows what goes, asks, and removes it after a yes', async () => {
    const root = await dataFolder();
    const prompts = person(['yes']);
    const { code, stdout } = await line(`data remove ${ID} ${ID} --data ${root}`, { prompts });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${ID}: removed\n` });
    expect(prompts.shown).toBe(
      `${ID}: 10 rows, 2024-01-31T23:50:00.000Z to 2024-01-31T23:59:00.000Z\n` +
        'Remove this for good? Type yes to go on: ',
    );
    expect(idsIn(root)).toEqual([]);
  });

  it.each([
    ['no', ['no']],
    ['a mere y', ['y']],
    ['Ctrl-C', [undefined]],
  ])('removes nothing after %s, and ends with 11', async (_what, answers) => {
    const root = await dataFolder();
    const prompts = person(answers);
    const { code, stderr } = await line(`data remove ${ID} --data ${root}`, { prompts });
    expect({ code, stderr }).toEqual({
      code: 11,
      stderr: 'Cannot remove: the answer was not yes; nothing was removed',
    });
    expect(idsIn(root)).toEqual([ID]);
  });

  it('demands --yes where nobody can be asked', async () => {
    const root = await dataFolder();
    const { code, stderr } = await line(`data remove ${ID} --data ${root}`);
    expect(code).toBe(11);
    expect(stderr).toMatch(/no terminal to ask at, one or --yes is wanted; nothing was removed$/);
    const done = await line(`data remove ${ID} --data ${root} --yes --json`);
    expect(done.json()).toEqual({ removed: [ID] });
    expect(idsIn(root)).toEqual([]);
  });

  it('removes nothing where one of the names is wrong', async () => {
    const root = await dataFolder();
    const { code, stderr } = await line(`data remove ${ID} ${ID}s --data ${root} --yes`);
    expect(code).toBe(8);
    expect(stderr).toContain(`did you mean "${ID}"?`);
    expect(idsIn(root)).toEqual([ID]);
  });

  it('removes a dataset that cannot be read', async () => {
    const root = await dataFolder();
    writeFileSync(join(root, ID, 'manifest.json'), '{');
    const prompts = person(['yes']);
    await line(`data remove ${ID} --data ${root}`, { prompts });
    expect(prompts.shown).toMatch(`${ID}: it cannot be read\n`);
    expect(idsIn(root)).toEqual([]);
  });
});
