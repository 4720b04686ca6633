import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

// A list or a text may be as long as its test says: fast-check of itself ends at ten. It is loaded
// for those alone who use it.
const { testPath = '' } = expect.getState();
if (readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });
}
