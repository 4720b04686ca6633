import { change } from './answers.ts';
import type { ConnectedVenue } from './connected-venue.ts';

/** The switches of the margin accounts. Source: contract, setExpressState and setRepayState. */
export const MARGIN_SWITCHES = ['auto-borrow', 'auto-repay'] as const;
export type MarginSwitch = (typeof MARGIN_SWITCHES)[number];

/**
 * Sets whether margin orders borrow what is missing, or whether proceeds repay loans.
 *
 * @throws {AppError} `unknown` when the answer was lost: to set it once more does no harm.
 */
export async function setMarginSwitch(
  venue: ConnectedVenue,
  { name, on }: { readonly name: MarginSwitch; readonly on: boolean },
): Promise<void> {
  const { margin } = venue.exchange;
  const lookUp = 'It may or may not be set. To set it once more does no harm.';
  const answer = name === 'auto-borrow' ? margin.setAutoBorrow(on) : margin.setAutoRepay(on);
  await change(venue, { lookUp, answer });
}
