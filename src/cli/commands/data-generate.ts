import type { Command } from 'commander';
import { type BacktestChoices, rooms } from '../../app/index.ts';
import { settingsOption } from '../arguments.ts';
import { interruptible } from '../interruptible.ts';
import { type CommandContext, print } from './context.ts';
import {
  dataCommand,
  datasetJson,
  type OverlapFlags,
  overlapOf,
  spanText,
  withOverlap,
} from './data-command.ts';
import { momentText } from './values.ts';

interface GenerateFlags extends OverlapFlags, Pick<BacktestChoices, 'from' | 'to' | 'seed'> {}

/** `tradewind data generate`: the candles that a backtest makes up, as datasets. */
export function addGenerate(group: Command, context: CommandContext): void {
  const command = dataCommand(group, {
    name: 'generate',
    description: 'keep the candles that a backtest makes up (backtest.generate)',
    examples: [
      'data generate config/backtest.yaml',
      'data generate my/bot.yaml --seed other --replace',
    ],
  })
    .argument('<config>', 'a deployment with a section backtest, such as config/backtest.yaml')
    .option('--from <moment>', "beginning, in place of the file's, such as 2021-05-01", momentText)
    .option('--to <moment>', "end, not included, in place of the file's", momentText)
    .option('--seed <text>', "seed of the prices, in place of the file's")
    .addOption(settingsOption('backtest.generate.btc_usdt.volatility=1'));
  withOverlap(command).action(async (file: string, flags: GenerateFlags) => {
    const { generateData, loadBacktest } = await rooms.backtest();
    const { from, to, seed, set, data: root, mix } = flags;
    const deployment = loadBacktest(file, { from, to, seed, set });
    await interruptible(async (signal) => {
      const kept = { root, mix, overlap: overlapOf(flags), signal };
      const datasets = await generateData(deployment, kept);
      const lines = datasets.map((dataset) => `${dataset.id}: ${spanText(dataset)}`);
      print(context, flags, { json: datasets.map(datasetJson), lines });
    });
  });
}
