import { type Command, InvalidArgumentError } from 'commander';
import { type MarginSwitch, rooms } from '../../app/index.ts';
import { answer, type CommandContext, type CommonFlags, venueCommand } from './context.ts';

const { MARGIN_SWITCHES, setMarginSwitch } = await rooms.terminal();

const needs = { keys: true };

/** What each switch does. Source: contract, setExpressState and setRepayState. */
const WHAT: Readonly<Record<MarginSwitch, string>> = {
  'auto-borrow': 'margin orders borrow by themselves what is missing',
  'auto-repay': 'proceeds of margin orders repay loans by themselves',
};

/** `tradewind account auto-borrow|auto-repay`: the switches of the margin accounts. */
export function addSwitches(group: Command, context: CommandContext): void {
  for (const name of MARGIN_SWITCHES) {
    venueCommand(group, {
      name,
      description: `set whether ${WHAT[name]}`,
      needs,
      examples: [`account ${name} on`, `account ${name} off`],
    })
      .argument('<state>', 'on or off', onOrOff)
      .action((on: boolean, flags: CommonFlags) =>
        answer(context, { flags, needs }, async ({ venue }) => {
          await setMarginSwitch(venue, { name, on });
          const lines = [`${name} is ${on ? 'on' : 'off'}`];
          return { json: { switch: name, on }, lines };
        }),
      );
  }
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('on or off is wanted');
}
