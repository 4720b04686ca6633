import { it } from 'vitest';
import { Simulation } from './simulation.ts';
const from = Number(process.env.FROM ?? 100);
const n = Number(process.env.N ?? 40);
it('many', () => {
  const stats: Record<string, number> = {};
  let bad = 0;
  for (let seed = from; seed < from + n; seed++) {
    const opts = { seed, steps: 400, restarts: seed % 2 === 0, config: seed % 3 === 0 ? { batch: true } : {} };
    const sim = new Simulation(opts);
    try { sim.run(); } catch (e) { bad++; console.log(JSON.stringify(opts), String(e).slice(0, 300), (e as Error).stack?.split('\n').filter((l) => l.includes('simulation.ts')).slice(0, 2).join('|')); }
    for (const ev of sim.bench.events) {
      const key = ev.kind === 'order' ? `order ${ev.order.status}` : ev.kind === 'request' ? `request ${ev.operation}` : ev.kind;
      stats[key] = (stats[key] ?? 0) + 1;
    }
  }
  console.log(bad, 'bad', JSON.stringify(stats));
}, 600_000);
