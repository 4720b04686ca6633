import type { Command } from 'commander';
import { addBalances } from './account-balances.ts';
import { addAddresses, addDeposits, addFees, addWithdrawals } from './account-funds.ts';
import { addBills, addInfo } from './account-money.ts';
import { addSwitches } from './account-switches.ts';
import { type CommandContext, examplesText } from './context.ts';

/** `tradewind account ...`: what one account has, and how money comes and goes. */
export function defineAccount(group: Command, context: CommandContext): void {
  group.addHelpText('after', examplesText(['account info', 'account balances --json']));
  for (const add of [addInfo, addBalances, addBills]) add(group, context);
  for (const add of [addAddresses, addDeposits, addWithdrawals, addFees]) add(group, context);
  addSwitches(group, context);
}
