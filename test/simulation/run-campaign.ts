import { Campaign, type CampaignOptions } from './campaign.ts';

/**
 * Runs a seed to its end. A failure shows its number, what happened to the bot and what that said
 * last. `begins`: called before anything happens. Default: nothing is done.
 */
export function runCampaign(
  seed: string | number,
  options: CampaignOptions,
  begins: (campaign: Campaign) => void = () => {},
): Campaign {
  const campaign = new Campaign(seed, options);
  begins(campaign);
  try {
    campaign.run();
    return campaign;
  } catch (thrown) {
    const story = [...campaign.log, '', campaign.world.lastEvents].join('\n');
    throw new Error(`Cannot keep the invariants with seed ${seed}: ${thrown}\n${story}`, {
      cause: thrown,
    });
  }
}
