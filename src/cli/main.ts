import { enableCompileCache } from 'node:module';

// Most of a short command's time goes into reading its own sources: what was read is kept.
enableCompileCache();
await import('./program.ts');
