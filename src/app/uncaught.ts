import { failureOf } from '../engine/index.ts';
import { stackOf } from '../kernel/index.ts';
import { instanceName } from '../strategy/index.ts';
import type { LoadedDeployment } from './load-deployment.ts';
import { moduleUrl } from './strategies/load-strategies.ts';

/** An error that nobody caught, for people. */
export interface Uncaught {
  /** What and whose it is. */
  readonly reason: string;
  /** Undefined if a strategy's own file threw it: then `reason` tells the place. */
  readonly stack: string | undefined;
}

/** Describes an uncaught error and whose it is: of the strategy whose file is in its stack. */
export function uncaughtOf(
  thrown: unknown,
  { config: { strategies }, yaml }: Pick<LoadedDeployment, 'config' | 'yaml'>,
): Uncaught {
  const stack = stackOf(thrown) ?? '';
  const names = strategies
    .filter(({ use }) => stack.includes(`${moduleUrl(use, yaml)}:`))
    .map(instanceName);
  const isKnown = names.length > 0;
  const whose = isKnown ? `strategy ${names.join(' or ')}` : 'a strategy or a library';
  return {
    reason: `an error of ${whose} that nobody caught: ${failureOf(thrown)}`,
    stack: isKnown || stack === '' ? undefined : stack,
  };
}
