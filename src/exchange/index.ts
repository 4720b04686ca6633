export * from './failure.ts';
export * from './ports.ts';
