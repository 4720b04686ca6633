import type { Command } from 'commander';
import { type DatasetToRemove, rooms } from '../../app/index.ts';
import { collected } from '../arguments.ts';
import { declining, personAt, requireYes } from './consent.ts';
import { type CommandContext, print } from './context.ts';
import { type DataFlags, dataCommand, datasetName, spanText } from './data-command.ts';

const { datasetsToRemove, removeData } = await rooms.history();
const decline = declining('remove', 'nothing was removed');

interface RemoveFlags extends DataFlags {
  readonly yes?: boolean;
}

/** `tradewind data remove`: removes datasets for good, once a person agrees. */
export function addRemove(group: Command, context: CommandContext): void {
  dataCommand(group, {
    name: 'remove',
    description: 'remove datasets for good; asks first',
    examples: ['data remove local.btc_usdt.1min', 'data remove local.btc_usdt.1min --yes'],
  })
    .argument('<datasets...>', 'such as binance.btc_usdt.1min', collected(datasetName))
    .option('--yes', 'ask nothing')
    .action(async (ids: readonly string[], flags: RemoveFlags) => {
      const datasets = datasetsToRemove(flags.data, ids);
      if (flags.yes !== true) await askFor(datasets, context);
      await removeData(flags.data, datasets);
      const json = { removed: datasets.map(({ id }) => id) };
      print(context, flags, { json, lines: datasets.map(({ id }) => `${id}: removed`) });
    });
}

async function askFor(
  datasets: readonly DatasetToRemove[],
  context: CommandContext,
): Promise<void> {
  const person = personAt(context, decline);
  person.say(`${datasets.map(textOf).join('\n')}\n`);
  await requireYes(person, { question: 'Remove this for good? Type yes to go on: ', decline });
}

function textOf({ id, dataset }: DatasetToRemove): string {
  return `${id}: ${dataset === undefined ? 'it cannot be read' : spanText(dataset)}`;
}
