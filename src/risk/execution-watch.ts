import { counted, formatDuration, getOrInsert } from '../kernel/index.ts';
import { companionOf } from './companions.ts';
import type { RiskView } from './review.ts';
import { TradedInWindow } from './traded-orders.ts';

/**
 * Halts trading when more orders of one strategy trade within a window than configured: a strategy
 * that fires again and again is looked at by a person first. A reset by a person starts the counts
 * anew.
 */
export function watchExecutions({ bus, clock, config, state }: RiskView): void {
  const { executionsPerWindowMax: most } = config;
  if (most === undefined) return;
  const windowMs = companionOf(config, 'executionWindowMs');
  const strategies = new Map<string, TradedInWindow>();
  state.onReset(() => strategies.clear());
  bus.on('fill').subscribe(({ fill: { strategy, clientOrderId } }) => {
    const traded = getOrInsert(strategies, strategy, () => new TradedInWindow(windowMs));
    if (traded.add(clientOrderId, clock.now()) <= most) return;
    state.set(
      'HALTED',
      `${strategy} has traded more than ${counted(most, 'order')} in ${formatDuration(windowMs)}`,
    );
  });
}
