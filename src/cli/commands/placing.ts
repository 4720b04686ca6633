import { Option } from 'commander';
import {
  type AccountName,
  type ConnectedVenue,
  type Decimal,
  type Market,
  printable,
  rooms,
  type Side,
} from '../../app/index.ts';
import { grouped } from '../table.ts';
import { declining, personAt, requireYes } from './consent.ts';
import type { CommandContext, CommonFlags, Findings } from './context.ts';
import { sendOnce } from './sending.ts';
import { amountOf, digits } from './values.ts';

const { ACCOUNT_NAMES, priceDoubt } = await rooms.terminal();
const decline = declining('place the order', 'nothing was sent');

/** The flags of a command that places orders. */
export interface PlacingFlags extends CommonFlags {
  readonly account: AccountName;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `--account`, which is the spot account by default. */
export function accountOption(): Option {
  const names = Object.keys(ACCOUNT_NAMES);
  return new Option('--account <name>', 'which account pays').choices(names).default('spot');
}

/** The option that skips the question about a doubtful price. */
export const YES = ['--yes', 'place a price far through the book without asking'] as const;

interface Priced {
  readonly venue: ConnectedVenue;
  readonly market: Market;
  readonly side: Side;
  readonly prices: readonly Decimal[];
}

/** What to warn of before prices are sent; undefined: nothing. */
export async function priceWarning(orders: Priced): Promise<string | undefined> {
  const { venue, market, side, prices } = orders;
  const doubt = await priceDoubt(venue, { market: market.id, side, prices });
  if (doubt === undefined) return undefined;
  const [what, where] = side === 'buy' ? ['ask', 'above'] : ['bid', 'below'];
  if (doubt.kind === 'unread') {
    return `the book could not be read to check the price (${printable(doubt.reason)})`;
  }
  if (doubt.kind === 'empty') return `the book has no ${what} to compare the price with`;
  const { price, best, beyond } = doubt;
  const share = `${grouped((beyond * 100).toFixed(1))} %`;
  const there = amountOf(best, market.quote);
  return `the price ${grouped(digits(price))} is ${share} ${where} the best ${what} of ${there}`;
}

/** Orders that are ready to be sent. */
interface Placing {
  readonly flags: PlacingFlags;
  /** What is to be placed, for people, line by line. */
  readonly plan: readonly string[];
  /** What to warn of about the prices; undefined: nothing. */
  readonly warning: string | undefined;
  /** The plan as JSON, with the outcome so far. */
  readonly json: (outcome: 'not sent' | 'sending' | 'unknown') => object;
  /** Sends them, once, and tells what came of them. */
  readonly send: () => Promise<Findings>;
}

/**
 * Shows orders and, unless it is a dry run, sends them. If a price is far through the book, or
 * there is no book to check it against, a person must agree first.
 *
 * @throws {AppError} `declined` when nobody can be asked, or the answer is not yes.
 */
export async function showAndPlace(context: CommandContext, placing: Placing): Promise<Findings> {
  const { flags, plan, warning, json } = placing;
  const lines = warning === undefined ? plan : [...plan, warning];
  if (flags.dryRun === true) {
    return { json: json('not sent'), lines: [...lines, 'not sent (--dry-run)'] };
  }
  const isAsked = flags.yes !== true && warning !== undefined;
  const shown = `${(isAsked ? plan : lines).join('\n')}\n`;
  if (flags.json !== true) context.write(shown);
  if (isAsked) {
    const person = personAt(context, decline, `${warning}, and `);
    // With --json standard output belongs to a program, so the person is shown the plan separately.
    if (flags.json === true) person.say(shown);
    const question = `${warning}. Type yes to place it all the same: `;
    await requireYes(person, { question, decline });
  }
  return sendOnce(context, placing);
}
