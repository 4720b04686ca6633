import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as risk from '../../src/risk/index.ts';

const SOURCE = new URL('../../src/', import.meta.url).pathname;
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);

describe('the seal', () => {
  it('is in the hands of the gate alone', () => {
    const holders = files.filter((path) =>
      /\bseal\b/.test(readFileSync(join(SOURCE, path), 'utf8')),
    );
    expect(holders.sort()).toEqual(['risk/approved.ts', 'risk/gate.ts']);
  });

  it('does not leave the folder', () => {
    expect(Object.keys(risk)).not.toContain('seal');
    const outside = files.filter(
      (path) =>
        !path.startsWith('risk/') &&
        /risk\/(?!index\.ts)/.test(readFileSync(join(SOURCE, path), 'utf8')),
    );
    expect(outside).toEqual([]);
  });
});
