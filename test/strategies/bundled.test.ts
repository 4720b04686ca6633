import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolveExport, z } from '../../src/strategy/index.ts';

const FOLDER = new URL('../../strategies/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));

/** The parameters without a default: how much money to use. */
const AMOUNTS = ['amount', 'positionMax'];

describe('bundled strategies', () => {
  it('are all here', () => {
    expect(FILES).toEqual(expect.arrayContaining(['ema-cross.ts', 'grid.ts', 'market-maker.ts']));
  });

  it.each(FILES)('%s offers a strategy by the name of its file', async (file) => {
    const definition = resolveExport(await import(new URL(file, FOLDER).href));
    expect(`${definition.name}.ts`).toBe(file);
  });

  it.each(FILES)('%s describes every parameter and defaults all but amounts', async (file) => {
    const { params } = resolveExport(await import(new URL(file, FOLDER).href));
    const schema = z.toJSONSchema(params, { io: 'input' });
    for (const property of Object.values(schema.properties ?? {})) {
      expect(property).toHaveProperty('description');
    }
    expect(AMOUNTS).toEqual(expect.arrayContaining(schema.required ?? []));
  });

  it.each(FILES)('%s imports nothing but the door and stays under 60 lines', (file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path);
    expect(new Set(imports)).toEqual(new Set(['#strategy']));
    expect(text.trimEnd().split('\n').length).toBeLessThan(60);
  });
});
