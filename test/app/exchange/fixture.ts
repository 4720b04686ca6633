import { firstValueFrom, ReplaySubject, Subject } from 'rxjs';
import { onTestFinished } from 'vitest';
import { type ServeOptions, serveExchange } from '../../../src/app/exchange/serve-exchange.ts';
import type { ServedExchange, StopRequest } from '../../../src/app/index.ts';
import { systemClock } from '../../../src/app/time/system-clock.ts';
import { seededRandom, silentLogger } from '../../../src/kernel/index.ts';
import { connectZb } from '../../../src/venues/zb/client/index.ts';
import { keptLog } from '../fixture.ts';

/** An exchange that is served until the test is over, and clients by their keys. */
export async function served(options: Partial<ServeOptions> = {}) {
  const stop = new Subject<StopRequest>();
  const opened = new ReplaySubject<ServedExchange>(1);
  const over = serveExchange({
    ...{ port: 0, log: keptLog(), stop, onServed: (exchange) => opened.next(exchange) },
    ...options,
  });
  const exchange = (await Promise.race([firstValueFrom(opened), over])) as ServedExchange;
  const close = async () => {
    stop.next({ reason: 'a test asks', outcome: 'success' });
    await over;
  };
  onTestFinished(close);
  const client = (keys: { readonly accessKey: string; readonly secretKey: string }) => {
    const { dataUrl, pushUrl } = exchange;
    const parts = { clock: systemClock, logger: silentLogger, random: seededRandom(1) };
    const zb = connectZb({ dataUrl, pushUrl, tradeUrl: dataUrl, ...keys, ...parts });
    onTestFinished(() => zb.close());
    return zb;
  };
  return { exchange, close, client };
}
