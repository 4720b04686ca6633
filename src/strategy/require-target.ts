import type { TargetIntent } from '../domain/index.ts';
import { StrategyError } from './errors.ts';

/** @throws {StrategyError} when a wish is no target; `what` could not be done then. */
export function requireTarget(wish: TargetIntent, what: string): void {
  const kind: unknown = wish?.kind;
  if (kind === 'target') return;
  throw new StrategyError(`${what}: a wish is ${kind}, a target is wanted`);
}
