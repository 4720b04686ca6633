import { tap } from 'rxjs';
import { EXIT_CODES, type ServedExchange, serveExchange } from '../app/index.ts';
import { openOutput } from './output.ts';
import { stopRequests } from './stop-requests.ts';

interface ExchangeFlags {
  readonly config?: string;
  readonly port?: number;
  readonly replay?: string;
  readonly speed?: number;
  readonly dialect?: 'documented' | 'recorded';
  readonly time?: 'real' | 'scaled' | 'stepped';
  readonly scale?: number;
  readonly adminPort?: number;
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
    stop: stopRequests.pipe(
      tap(({ outcome }) => {
        process.exitCode = EXIT_CODES[outcome];
      }),
    ),
    onServed: (served) => process.stdout.write(`${servedLines(served).join('\n')}\n`),
  });
}

function servedLines({ dataUrl, pushUrl, markets, dialect, ...rest }: ServedExchange): string[] {
  const { keys, time, adminUrl } = rest;
  const scale = time.mode === 'scaled' ? ` ${time.scale} times` : '';
  return [
    `exchange served, ${dialect} dialect, ${time.mode} time${scale}: ${markets.join(', ')}`,
    `  REST       ${dataUrl}`,
    `  WebSocket  ${pushUrl}`,
    ...(adminUrl === undefined ? [] : [`  admin      ${adminUrl}`]),
    ...keys.map(({ account, accessKey }) => `  account    ${account}, access key ${accessKey}`),
  ];
}
