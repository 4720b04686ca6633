import { it } from 'vitest';
import { Simulation } from '/work/main/test/execution/simulation.ts';
it('dbg', () => {
  const sim = new Simulation({ seed: Number(process.env.SEED), steps: 300 });
  try { sim.run(); } catch (e) {
    console.log(String(e).slice(0, 200));
    const now = sim.clock.now();
    const market = process.env.MARKET;
    for (const ev of sim.bench.events.filter((x) => x.time > now - 30000)) {
      if (ev.market !== market) continue;
      if (ev.kind === 'order') { const o = ev.order; console.log(ev.time - now, o.clientOrderId, o.status, o.side, o.amount, '@', o.price, 'f', o.filledAmount, o.evidence, o.reason ?? '', o.tag); }
      else if (ev.kind === 'intent') console.log('intent', ev);
      else if (ev.kind === 'orderPush') console.log(ev.receivedTime - now, 'push', ev.order.exchangeOrderId.slice(-3), ev.order.closed, ev.order.filledAmount);
      else console.log(ev.time - now, ev.kind, ev.operation ?? '', ev.position ? ev.position.amount.toString() : '');
    }
    for (const o of sim.model.orders.filter((o) => o.record.market === market).slice(-8)) console.log(o.clientOrderId, o.record.exchangeOrderId.slice(-3), o.record.side, o.record.amount, '@', o.record.price, o.record.filledAmount, o.record.closed, o.record.exchangeTime - now);
  }
});
