import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { letGo } from '../../../../src/history/store/commit/replaced-files.ts';
import { manifestFile } from '../../../../src/history/store/manifest.ts';
import { HOUR_MS } from '../../../../src/kernel/index.ts';
import { Store } from '../fixture.ts';

describe('letGo', () => {
  it('goes on where a file cannot be dated, and takes away what was let go of an hour ago', () => {
    const { root: folder } = new Store();
    const [manifest, old, young] = [manifestFile(folder), ...['a', 'b'].map(fileIn(folder))];
    for (const file of [manifest, old!, young!]) writeFileSync(file, '');
    const hourAgo = new Date(Date.now() - HOUR_MS - 1_000);
    utimesSync(old!, hourAgo, hourAgo);
    letGo(folder, { parts: [], replaced: ['gone.parquet', 'b.parquet'] });
    expect([old!, young!].map(existsSync)).toEqual([false, true]);
  });
});

const fileIn = (folder: string) => (name: string) => join(folder, `${name}.parquet`);
