import {
  type ConnectedVenue,
  type Decimal,
  type Market,
  type PriceDoubt,
  printable,
  rooms,
  type Side,
} from '../../app/index.ts';
import { grouped } from '../table.ts';
import { declining, personAt, requireYes } from './consent.ts';
import type { CommandContext, CommonFlags } from './context.ts';
import { digits } from './values.ts';

const { priceDoubt } = await rooms.terminal();
const decline = declining('place the order', 'nothing was sent');

/** What the flags of a command that places orders say of being asked. */
export interface ConsentFlags extends CommonFlags {
  readonly yes?: boolean;
}

/** The option of such a command. */
export const YES = ['--yes', 'place a price far through the book without asking'] as const;

interface Priced {
  readonly venue: ConnectedVenue;
  readonly market: Market;
  readonly side: Side;
  readonly prices: readonly Decimal[];
}

/** What is to be said of prices before they are sent; undefined where nothing is. */
export async function priceWarning(orders: Priced): Promise<string | undefined> {
  const { venue, market, side, prices } = orders;
  const doubt = await priceDoubt(venue, { market: market.id, side, prices });
  return doubt === undefined ? undefined : wordsOf(doubt, orders);
}

/**
 * Has a person agree to prices that are far through the book, or cannot be held against one.
 *
 * @throws {AppError} `declined` when nobody can be asked, or the answer is not yes.
 */
export async function consented(
  context: CommandContext,
  { warning, plan, flags }: { warning: string | undefined; plan: string; flags: ConsentFlags },
): Promise<void> {
  if (warning === undefined || flags.yes === true) return;
  const person = personAt(context, decline, `${warning}, and `);
  // What standard output has is for a program where it is JSON.
  if (flags.json === true) person.say(`${plan}\n`);
  const question = `${warning}. Type yes to place it all the same: `;
  await requireYes(person, { question, decline });
}

function wordsOf(doubt: PriceDoubt, { market, side }: Priced): string {
  const [what, where] = side === 'buy' ? ['ask', 'above'] : ['bid', 'below'];
  if (doubt.kind === 'unread') {
    return `the book could not be read to check the price (${printable(doubt.reason)})`;
  }
  if (doubt.kind === 'empty') return `the book has no ${what} to hold the price against`;
  const { price, best, beyond } = doubt;
  const share = `${grouped((beyond * 100).toFixed(1))} %`;
  const [asked, there] = [price, best].map((sum) => grouped(digits(sum)));
  return `the price ${asked} is ${share} ${where} the best ${what} of ${there} ${market.quote}`;
}
