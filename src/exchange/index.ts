export * from './failure.ts';
export * from './funds.ts';
export * from './host.ts';
export * from './ports.ts';
export * from './read-again.ts';
