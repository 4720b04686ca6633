import type { Market } from '../../src/domain/index.ts';
import type { FullExchange } from '../../src/exchange/index.ts';
import { seededRandom, silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import {
  type Liquidity,
  SimulatedExchange,
  type SimulatedExchangeOptions,
} from '../../src/sim/index.ts';
import {
  connectZb,
  type Socket,
  type SocketEvents,
  type SocketTransport,
} from '../../src/venues/zb/client/index.ts';
import {
  type DialectName,
  type KeySettings,
  type ZbServer,
  zbServer,
} from '../../src/venues/zb/server/index.ts';
import { makeMarket } from '../domain/fixture.ts';
import { START_MS } from '../sim/fixture.ts';

/** The ways to reach one exchange: in process, and by the real client over the real wire. */
export const WAYS = ['in process', 'documented wire', 'recorded wire'] as const;
export type Way = (typeof WAYS)[number];

const ADDRESS = '10.0.0.1';
const PERMISSIONS = { assets: true, orders: true, withdrawals: true, margin: true };

export const BTC_USDT: Market = makeMarket();
export const ETH_USDT: Market = makeMarket({ id: 'eth_usdt', base: 'eth', amountScale: 3 });

/** One exchange, and what `main` and `other` can do there. */
export interface Subject {
  readonly way: Way;
  readonly clock: VirtualClock;
  readonly sim: SimulatedExchange;
  readonly liquidity: Liquidity;
  readonly main: FullExchange;
  readonly other: FullExchange;
  /** Lets so much time pass. */
  pass(durationMs: number): void;
}

/** Opens a fresh exchange, reached that way. */
export function opener(way: Way): (options?: Partial<SimulatedExchangeOptions>) => Subject {
  return (options) => subjectOf(way, options);
}

type Accounts = SimulatedExchangeOptions['accounts'];

/** `main` and `other`, rich and with every right; what `main` has besides. */
export function accountsFixture(main: Partial<Accounts[number]> = {}): Accounts {
  const balances = { usdt: '1000000', btc: '100', eth: '100' };
  const account = { balances, permissions: PERMISSIONS };
  return [
    { ...account, name: 'main', ...main },
    { ...account, name: 'other' },
  ];
}

function subjectOf(way: Way, options: Partial<SimulatedExchangeOptions> = {}): Subject {
  const clock = new VirtualClock(START_MS);
  const sim = new SimulatedExchange({
    clock,
    markets: [BTC_USDT, ETH_USDT],
    accounts: accountsFixture(),
    depthIntervalMs: 0,
    ...options,
  });
  const reach = reachOf(way, { sim, clock });
  return {
    ...{ way, clock, sim, main: reach('main'), other: reach('other') },
    liquidity: sim.anonymous('btc_usdt'),
    pass: (durationMs) => clock.advanceBy(durationMs),
  };
}

function reachOf(
  way: Way,
  { sim, clock }: { readonly sim: SimulatedExchange; readonly clock: VirtualClock },
): (account: string) => FullExchange {
  if (way === 'in process') return (account) => sim.account(account)!;
  const dialect: DialectName = way === 'documented wire' ? 'documented' : 'recorded';
  const keys = ['main', 'other'].map(keyOf);
  const server = zbServer({ host: sim, keys, clock, logger: silentLogger, dialect });
  return (account) => {
    const { accessKey, secretKey } = keyOf(account);
    return connectZb({
      ...{ dataUrl: 'https://data.example', tradeUrl: 'https://trade.example' },
      ...{ pushUrl: 'wss://push.example', accessKey, secretKey, clock, random: seededRandom(1) },
      http: () => ({
        get: (target) => server.handle({ target, address: ADDRESS, userAgent: 'Mozilla/5.0' }),
        close: async () => {},
      }),
      sockets: socketsTo(server, clock),
    });
  };
}

/** The key of an account, with every right. */
export function keyOf(account: string): KeySettings {
  return {
    accessKey: `access-of-${account}`,
    secretKey: `secret-of-${account}`,
    account,
    permissions: PERMISSIONS,
  };
}

/** WebSockets that end in the server itself; what is sent arrives at once. */
function socketsTo(server: ZbServer, clock: VirtualClock): SocketTransport {
  return {
    open: (_url: string, events: SocketEvents): Socket => {
      let open = true;
      const end = () => {
        if (!open) return;
        open = false;
        session.end();
        events.closed('closed');
      };
      const connection = {
        send: (text: string) => events.message(text),
        pong: () => {},
        close: end,
        bufferedBytes: 0,
      };
      const session = server.open(connection, ADDRESS);
      clock.schedule(() => events.opened(), 0);
      return { send: (text) => session.receive(text), terminate: end };
    },
  };
}
