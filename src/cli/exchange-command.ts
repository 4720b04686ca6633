import { type Command, Option } from 'commander';
import { tap } from 'rxjs';
import { EXIT_CODES, rooms, type ServedExchange, type ServedSettings } from '../app/index.ts';
import { collected, folder, marketId, number } from './arguments.ts';
import { duration } from './lengths.ts';
import { openOutput } from './output.ts';
import { stopRequests } from './stop-requests.ts';

const { serveExchange } = await rooms.exchange();

const port = number((n) => Number.isInteger(n) && n >= 0 && n <= 65_535, 'a port from 0 to 65535');
const speed = number((n) => Number.isFinite(n) && n > 0, 'a number above 0');
const scale = number((n) => n > 0 && n <= 100_000, 'a number above 0, at most 100000');

const HELP = `
Examples:
  tradewind exchange
  tradewind exchange --replay trades.json.gz --speed 10 --port 0
  tradewind exchange --replay prints.csv --market btc_usdt
  tradewind exchange --replay binance.btc_usdt.trades --replay binance.eth_usdt.trades
  tradewind exchange --config config/exchange.yaml --dialect recorded
  tradewind exchange --time stepped --admin-port 8711`;

interface ExchangeFlags extends Omit<ServedSettings, 'file' | 'dataFolder'> {
  readonly config?: string;
  readonly data?: string;
  readonly for?: number;
}

/** `tradewind exchange`: serves the simulated exchange. */
export function defineExchange(command: Command): void {
  command
    .option('--config <file>', 'markets, accounts, keys and limits (default: config/exchange.yaml)')
    .option(
      '--port <number>',
      "port to listen on, 0 for any free one (default: the file's, 8710)",
      port,
    )
    .option(
      '--replay <recording>',
      'play a file of trades, depth or quotes, of any format that `data import` reads, or a ' +
        'dataset by its name; may be repeated, a market each',
      collected(String),
    )
    .option(
      '--market <id>',
      'market to play the recording in, such as btc_usdt, in place of its own ' +
        '(default: by its symbols or its name)',
      marketId,
    )
    .option('--data <folder>', 'the folder of all datasets (default: data)', folder)
    .option(
      '--speed <number>',
      'how many times faster than it happened the recording is played',
      speed,
    )
    .addOption(new Option('--dialect <name>', 'wire dialect').choices(['documented', 'recorded']))
    .addOption(
      new Option(
        '--time <mode>',
        "the exchange's time; stepped: only the admin port moves it",
      ).choices(['real', 'scaled', 'stepped']),
    )
    .option('--scale <number>', 'seconds of the exchange in a real one (scaled time)', scale)
    .option(
      '--admin-port <number>',
      "the operator's port, on this machine alone (default: none)",
      port,
    )
    .option('--for <time>', 'stop by itself after this time, such as 30s or 2h', duration)
    .addHelpText('after', HELP)
    .action(exchangeCommand);
}

/** Serves the simulated exchange until a signal comes or its time is over. */
async function exchangeCommand(flags: ExchangeFlags): Promise<void> {
  const { config: file, for: durationMs, data: dataFolder, ...others } = flags;
  const { log, settle } = openOutput();
  let reason = 'its time is over';
  await serveExchange({
    ...{ ...others, file, durationMs, dataFolder, log },
    stop: stopRequests.pipe(
      tap((request) => {
        process.exitCode = EXIT_CODES[request.outcome];
        reason = request.reason;
      }),
    ),
    onServed: (served) => {
      const { resting: _, ...exchange } = served;
      log.write(log.isTerminal ? servedText(served) : jsonLine({ exchange }, 'exchange served'));
    },
  });
  settle();
  const stopped = `exchange stopped: ${reason}`;
  log.write(log.isTerminal ? `${stopped}\n` : jsonLine({ reason }, stopped));
}

/** A line in the form of the JSON log, which is written where standard output is no terminal. */
function jsonLine(fields: object, msg: string): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'info', time, ...fields, msg })}\n`;
}

function servedText({ dataUrl, pushUrl, markets, dialect, ...rest }: ServedExchange): string {
  const { keys, time, adminUrl } = rest;
  const scale = time.mode === 'scaled' ? ` ${time.scale} times` : '';
  const lines = [
    `exchange served, ${dialect} dialect, ${time.mode} time${scale}: ${markets.join(', ')}`,
    `  REST       ${dataUrl}`,
    `  WebSocket  ${pushUrl}`,
    ...(adminUrl === undefined ? [] : [`  admin      ${adminUrl}`]),
    ...keys.map(({ account, accessKey }) => `  account    ${account}, access key ${accessKey}`),
  ];
  return `${lines.join('\n')}\n`;
}
