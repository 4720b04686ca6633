import type { Command } from 'commander';
import { rooms } from '../../app/index.ts';
import { settingsOption } from '../arguments.ts';
import { type CommandContext, type CommonFlags, examplesText, print } from './context.ts';

const { tryAlerts } = await rooms.alerts();

interface AlertsFlags extends CommonFlags {
  readonly set?: readonly string[];
}

/** `tradewind alerts`: whether alerts of a deployment arrive. */
export function defineAlerts(command: Command, context: CommandContext): void {
  command
    .argument('<config>', 'the deployment, such as my-live.yaml')
    .addOption(settingsOption('alerts.format=slack'))
    .option('--json', 'one JSON document, for programs')
    .addHelpText('after', '\nNothing is traded: it posts one alert, and calls aliveUrl once.')
    .addHelpText('after', examplesText(['alerts my-live.yaml']))
    .action(async (file: string, flags: AlertsFlags) => {
      const { set = [] } = flags;
      const sent = await tryAlerts(file, { set });
      const lines = sent.map(({ what, variable }) => `${what} taken by the address in ${variable}`);
      print(context, flags, { json: { taken: sent }, lines });
    });
}
