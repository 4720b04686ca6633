export * from './averages.ts';
export * from './channels.ts';
export * from './indicator.ts';
export * from './momentum.ts';
export {
  Lagged,
  type Moments,
  RollingMax,
  RollingMin,
  RollingMoments,
  RollingSum,
} from './rolling.ts';
export * from './signals.ts';
export * from './trend.ts';
export * from './volume.ts';
