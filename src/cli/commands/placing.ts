import { Option } from 'commander';
import { type AccountName, rooms } from '../../app/index.ts';
import type { CommandContext, Findings } from './context.ts';
import { type ConsentFlags, consented } from './price-consent.ts';
import { sendOnce } from './sending.ts';

const { ACCOUNT_NAMES } = await rooms.terminal();

/** The flags of a command that places orders. */
export interface PlacingFlags extends ConsentFlags {
  readonly account: AccountName;
  readonly dryRun?: boolean;
}

/** `--account`, which is the spot account by default. */
export function accountOption(): Option {
  const names = Object.keys(ACCOUNT_NAMES);
  return new Option('--account <name>', 'which account pays').choices(names).default('spot');
}

/** Orders that are ready to be sent. */
interface Placing {
  readonly flags: PlacingFlags;
  /** What is to be placed, for people, line by line. */
  readonly plan: readonly string[];
  /** What is to be said of the prices; undefined where nothing is. */
  readonly warning: string | undefined;
  /** The plan as JSON, with how far it got. */
  readonly json: (outcome: 'not sent' | 'sending' | 'unknown') => object;
  /** Sends them, once, and tells what came of them. */
  readonly send: () => Promise<Findings>;
}

/**
 * Shows orders, has a person agree where a price is in doubt, and sends them, unless that is not
 * wanted.
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
  if (flags.json !== true) context.write(`${(isAsked ? plan : lines).join('\n')}\n`);
  await consented(context, { warning, plan: plan.join('\n'), flags });
  return sendOnce(context, placing);
}
