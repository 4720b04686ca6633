import type { Command } from 'commander';
import { type Decimal, type PreparedWithdrawal, printable, rooms } from '../../app/index.ts';
import { currency } from '../arguments.ts';
import { columns } from '../format.ts';
import type { Prompts } from '../prompts.ts';
import { grouped } from '../table.ts';
import { declining, personAt, requireYes } from './consent.ts';
import {
  answer,
  type CommandContext,
  type CommonFlags,
  type Findings,
  toVenue,
  type Work,
} from './context.ts';
import { sendOnce } from './sending.ts';
import { amountOf, decimal, digits } from './values.ts';

const { PASSWORD_VARIABLE, passwordFromEnvironment, prepareWithdrawal, submitWithdrawal } =
  await rooms.terminal();
const decline = declining('withdraw', 'nothing was sent');

const needs = { keys: true };

const HELP = `
It shows amount, fee, chain, address and what leaves the balance, asks whether to go on, wants the
amount typed once more, then the funds password. With --yes it asks nothing and takes the password
from the environment variable ${PASSWORD_VARIABLE}; without a terminal it refuses unless told --yes.`;

interface WithdrawFlags extends CommonFlags {
  readonly address?: string;
  readonly memo?: string;
  readonly chain?: string;
  readonly internal?: boolean;
  readonly yes?: boolean;
}

/** `tradewind withdraw`: sends money away, only with a person's consent. */
export function defineWithdraw(command: Command, context: CommandContext): void {
  toVenue(command, {
    needs,
    examples: [
      'withdraw btc 0.5',
      'withdraw usdt 100 --chain TRC20 --address TXyz...',
      'withdraw eos 25 --address exchange --memo 123456',
    ],
  })
    .argument('<currency>', 'such as btc', currency)
    .argument('<amount>', 'what is to arrive, the fee not included', decimal)
    .option('--address <address>', 'a verified address (default: the one the exchange tells)')
    .option('--memo <memo>', 'memo or tag of the address, where the chain knows them')
    .option('--chain <name>', 'whose fee is paid; with --address where there are several chains')
    .option('--internal', 'allow a transfer within the exchange, which costs no fee')
    .option('--yes', `ask nothing; the password is in ${PASSWORD_VARIABLE}`)
    .addHelpText('after', HELP)
    .action((name: string, amount: Decimal, flags: WithdrawFlags) =>
      answer(context, { flags, needs }, (work) =>
        withdraw(work, { context, flags, wish: { currency: name, amount } }),
      ),
    );
}

interface Withdrawing {
  readonly context: CommandContext;
  readonly flags: WithdrawFlags;
  readonly wish: { readonly currency: string; readonly amount: Decimal };
}

async function withdraw({ venue }: Work, { context, flags, wish }: Withdrawing): Promise<Findings> {
  const consent = consentOf(context, flags);
  const { address, memo, chain, internal = false } = flags;
  const prepared = await prepareWithdrawal(venue, {
    ...{ ...wish, address, memo, chain, internal },
  });
  const lines = planLines(prepared, venue.host);
  const password = await consent({ prepared, plan: `${lines.join('\n')}\n` });
  return sendOnce(context, {
    flags,
    json: (outcome) => withdrawalJson(prepared, { outcome }),
    send: async () => {
      const { withdrawalId } = await submitWithdrawal(venue, prepared, { password });
      return {
        json: withdrawalJson(prepared, { outcome: 'submitted', id: withdrawalId }),
        lines: [`submitted, id ${printable(withdrawalId)}; how it goes:`, `  ${prepared.lookUp}`],
      };
    },
  });
}

/** Gets a person's consent and the password, or refuses. */
type Consent = (what: {
  readonly prepared: PreparedWithdrawal;
  readonly plan: string;
}) => Promise<string>;

/** Decides who consents, before anything is asked of the exchange. */
function consentOf(context: CommandContext, { yes, json }: WithdrawFlags): Consent {
  if (yes === true) {
    const password = passwordFromEnvironment(context.environment);
    return async ({ plan }) => {
      if (json !== true) context.write(plan);
      return password;
    };
  }
  const person = personAt(context, decline);
  return ({ prepared, plan }) => ask(person, { prepared, plan });
}

async function ask(
  prompts: Prompts,
  { prepared, plan }: { readonly prepared: PreparedWithdrawal; readonly plan: string },
): Promise<string> {
  const { amount, currency: name } = prepared;
  prompts.say(plan);
  await requireYes(prompts, { question: 'Withdraw this? Type yes to go on: ', decline });
  const typed = await prompts.ask(`Type the amount of ${name} that is to arrive: `);
  if (typed === undefined || ![digits(amount), grouped(digits(amount))].includes(typed.trim())) {
    throw decline(`the amount typed is not ${digits(amount)}`);
  }
  const password = await prompts.askSecret('Funds password (not shown): ');
  if (password === undefined || password === '') throw decline('no password was typed');
  return password;
}

function planLines(prepared: PreparedWithdrawal, host: string): string[] {
  const { currency: name, amount, fee, leaves, available, chain } = prepared;
  const { address, verified, internal } = prepared;
  const money = (value: Decimal): string => amountOf(value, name);
  const isOther = address !== verified;
  const atMost = internal ? 'at most ' : '';
  return columns([
    ['venue', host],
    ['arrives', money(amount)],
    ['fee', `${atMost}${money(fee)}, fee of chain ${chain}`],
    ['leaves', `${atMost}${money(leaves)}, ${money(available)} available`],
    ['address', address],
    ...(isOther ? [['', `NOT the verified address that is known: ${verified ?? 'none'}`]] : []),
    ...(internal ? [['internal', 'may be moved within the exchange, without a fee']] : []),
  ]);
}

function withdrawalJson(
  prepared: PreparedWithdrawal,
  result: { readonly outcome: 'submitted' | 'unknown' | 'sending'; readonly id?: string },
) {
  const { currency: name, amount, fee, leaves, chain, address, internal } = prepared;
  const sums = { amount: digits(amount), fee: digits(fee), leaves: digits(leaves) };
  const { outcome, id = null } = result;
  return { outcome, id, currency: name, ...sums, chain, address, internal };
}
