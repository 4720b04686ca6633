import { serveExchange } from '../app/index.ts';
import { openOutput } from './output.ts';
import { stopSignals } from './signals.ts';

interface ExchangeFlags {
  readonly config?: string;
  readonly port?: number;
  readonly replay?: string;
  readonly speed?: number;
  readonly dialect?: 'documented' | 'recorded';
  readonly for?: number;
}

/** `tradewind exchange`: serves the simulated exchange until a signal or its time is over. */
export async function exchangeCommand(flags: ExchangeFlags): Promise<void> {
  const { config: file, for: durationMs, ...others } = flags;
  await serveExchange({
    ...others,
    ...(file === undefined ? {} : { file }),
    ...(durationMs === undefined ? {} : { durationMs }),
    log: openOutput().log,
    stop: stopSignals,
    onServed: ({ dataUrl, pushUrl, markets, dialect, keys }) => {
      const lines = [
        `exchange served, ${dialect} dialect: ${markets.join(', ')}`,
        `  REST       ${dataUrl}`,
        `  WebSocket  ${pushUrl}`,
        ...keys.map(({ account, accessKey }) => `  account    ${account}, access key ${accessKey}`),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    },
  });
}
