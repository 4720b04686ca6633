import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    // Two cores are the smallest machine that the suite promises to fit.
    maxWorkers: 2,
  },
});
