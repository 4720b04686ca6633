import { it } from 'vitest';
import { Campaign } from './campaign.ts';

const from = Number(process.env.FROM ?? 1),
  n = Number(process.env.N ?? 5);
it('smoke', () => {
  const fails: string[] = [];
  const t0 = performance.now();
  for (let seed = from; seed < from + n; seed++) {
    const t = performance.now();
    const campaign = new Campaign(seed);
    try {
      campaign.run();
    } catch (e) {
      fails.push(
        `${seed} ${campaign.log[0]} @${campaign.world.clock.now() - Date.UTC(2024, 0, 1)}: ${String(e).slice(0, 300)}`,
      );
      if (n === 1) {
        console.log(campaign.log.join('\n'));
        console.log(campaign.world.lastEvents.slice(-20000));
        console.log(e);
      }
    }
    if (performance.now() - t > 5000) console.log('slow', seed, performance.now() - t);
  }
  console.log(
    (performance.now() - t0) / n,
    'ms a seed',
    fails.length,
    'failed\n' + fails.join('\n'),
  );
}, 3_000_000);
