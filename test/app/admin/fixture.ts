import { request } from 'node:http';
import { stringify } from 'yaml';
import type { ServeOptions } from '../../../src/app/exchange/serve-exchange.ts';
import type { Amount, Price } from '../../../src/domain/index.ts';
import { served } from '../exchange/fixture.ts';
import { scratchFile } from '../fixture.ts';
import type { AdminBody } from './answers.ts';

export const MAIN_KEY = {
  accessKey: '11111111-aaaa-4aaa-8aaa-111111111111',
  secretKey: '22222222-bbbb-4bbb-8bbb-222222222222',
};
/** Of another account; it may only look. */
export const OTHER_KEY = {
  accessKey: '33333333-cccc-4ccc-8ccc-333333333333',
  secretKey: '44444444-dddd-4ddd-8ddd-444444444444',
};

const SETTINGS = {
  markets: [{ id: 'btc_usdt', priceScale: 2, amountScale: 5 }],
  accounts: [
    { name: 'main', balances: { usdt: '20000', btc: '1' } },
    { name: 'other', balances: { usdt: '5' } },
  ],
  server: {
    keys: [
      { ...MAIN_KEY, account: 'main' },
      { ...OTHER_KEY, account: 'other', permissions: { orders: false } },
    ],
  },
};

/** An answer of the admin port. */
export interface Answer {
  readonly status: number;
  readonly body: AdminBody;
}

/** One HTTP request, with any headers. */
export function ask(
  url: string,
  { headers, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, headers: headers ?? {}, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** An exchange that is served in stepped time, with its admin port and a client. */
export async function operatedExchange(options: Partial<ServeOptions> = {}) {
  const { exchange, client } = await served({
    file: scratchFile('exchange.yaml', stringify(SETTINGS)),
    adminPort: 0,
    time: 'stepped',
    ...options,
  });
  const get = (path: string) => ask(exchange.adminUrl + path);
  const post = (path: string, body: object = {}) =>
    ask(exchange.adminUrl + path, { body: JSON.stringify(body) });
  return { get, post, client: (keys = MAIN_KEY) => client(keys) };
}

/** An order that rests far from everything. */
export const RESTING = {
  market: 'btc_usdt',
  side: 'buy',
  type: 'limit',
  price: 100 as Price,
  amount: 0.1 as Amount,
} as const;
