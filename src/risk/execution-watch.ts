import { counted, formatDuration, SlidingWindow } from '../kernel/index.ts';
import { companionOf } from './companions.ts';
import type { RiskView } from './review.ts';

/**
 * Halts trading when the orders of one strategy trade more often in a window than configured: what
 * fires again and again is looked at by a person before it goes on. The fills of an order that
 * follow each other count once. A reset by a person starts the counts anew.
 */
export function watchExecutions({ bus, clock, config, state }: RiskView): void {
  const { executionsPerWindowMax: most } = config;
  if (most === undefined) return;
  const windowMs = companionOf(config, 'executionWindowMs');
  const strategies = new Map<string, { window: SlidingWindow; clientOrderId: string }>();
  state.onReset(() => strategies.clear());
  bus.on('fill').subscribe(({ fill: { strategy, clientOrderId } }) => {
    let known = strategies.get(strategy);
    if (known === undefined) {
      known = { window: new SlidingWindow(most, windowMs), clientOrderId: '' };
      strategies.set(strategy, known);
    }
    if (known.clientOrderId === clientOrderId) return;
    known.clientOrderId = clientOrderId;
    if (known.window.add(clock.now())) return;
    state.set(
      'HALTED',
      `${strategy} has traded more than ${counted(most, 'order')} in ${formatDuration(windowMs)}`,
    );
  });
}
