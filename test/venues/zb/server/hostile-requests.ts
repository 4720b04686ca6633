import fc from 'fast-check';
import { expect } from 'vitest';
import { SIGNED_OPERATIONS } from '../../../../src/venues/zb/server/operations/index.ts';
import { signatureOf, signedText, signingKeyOf } from '../../../../src/venues/zb/wire/signing.ts';
import { KEY } from './fixture.ts';

/** No limits, so that no request is refused for coming too fast. */
export const LIMITS = {
  enforced: false,
  requestsPerSecond: 1,
  requestsPerMinute: 1,
  candleIntervalMs: 1,
  lockMs: 1,
};

/** Every operation by its name. */
export const PUBLIC = ['markets', 'ticker', 'allTicker', 'depth', 'trades', 'kline'];
export const SIGNED = [...SIGNED_OPERATIONS.keys()];
/** Every parameter of every operation, and some that none has. */
const NAMES = [
  ...['market', 'size', 'merge', 'since', 'type', 'currency', 'startDate', 'endDate', 'dataType'],
  ...[
    'pageIndex',
    'pageSize',
    'amount',
    'fees',
    'itransfer',
    'receiveAddr',
    'safePwd',
    'tradeType',
  ],
  ...['price', 'acctType', 'enableExpress', 'enableRepay', 'orderType', 'customerOrderId', 'id'],
  ...['tradeParams', 'state', '__proto__', 'constructor', 'toString', '', 'é', 'currency[]'],
];
/** Values that are valid somewhere, so that hostile requests get past the first check. */
const GOOD: Readonly<Record<string, string>> = {
  market: 'btc_usdt',
  size: '5',
  type: '1min',
  currency: 'btc_usdt',
  startDate: '2022-02-21 00:00:00',
  endDate: '2022-02-22 00:00:00',
  amount: '0.001',
  fees: '0.0005',
  receiveAddr: '0x1',
  safePwd: 'secret',
  tradeType: '1',
  price: '30000',
  tradeParams: '[[30000,0.1]]',
  state: '1',
  id: '202202224851151555',
};

const HOSTILE = [
  ...[
    '',
    ' ',
    '0',
    '-0',
    '-1',
    '1e999',
    '1e-999',
    'NaN',
    'Infinity',
    '0x10',
    '1_000',
    '١',
    '1.',
    '.1',
  ],
  ...['9'.repeat(400), `0.${'0'.repeat(400)}1`, '18446744073709551616', '9007199254740993'],
  ...[
    'true',
    'TRUE',
    'null',
    'undefined',
    '[object Object]',
    '{}',
    '[]',
    '[[]]',
    '[[1,1]',
    '[[[[[[',
  ],
  ...[JSON.stringify(Array(21).fill([1, 1])), '[["1","1"],["1"]]', `[${'['.repeat(5_000)}`],
  ...["' OR 1=1; --", '<script>', '../../etc/passwd', '%00', '\0', '\r\nSet-Cookie: a=b'],
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'btc',
    'BTC',
    'hsr',
    'hsr_usdt',
    'btc_',
    '_',
    '__',
  ],
  ...[
    '\u202e',
    '\ufeff',
    '\ud800',
    '💰',
    '备注',
    'İ',
    'ß',
    'e\u0301',
    '"}',
    '\\',
    '\\u0022',
    '","code":1000',
  ],
  ...['2022-02-30 00:00:00', '9999-99-99 99:99:99', '0000-01-01 00:00:00', 'a'.repeat(9_000)],
];

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.json(),
);

/** What is wrong with a request. */
export interface HostileRequest {
  readonly name: string;
  /** Good values that choose between several valid requests. */
  readonly terms: Readonly<Record<string, string>>;
  readonly given: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  readonly repeated: string | undefined;
  readonly recorded: boolean;
}

/** A request that is good except for what is given, left out and repeated. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.record({
  name: fc.constantFrom(...SIGNED, ...PUBLIC),
  terms: fc.record(
    {
      tradeType: fc.constantFrom('0', '1'),
      acctType: fc.constantFrom('0', '1', '2'),
      orderType: fc.constantFrom('0', '1', '2'),
      price: fc.constantFrom('29990', '30000', '30010'),
      itransfer: fc.constantFrom('0', '1'),
    },
    { requiredKeys: [] },
  ),
  given: fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 4 }),
  missing: fc.subarray(Object.keys(GOOD), { maxLength: 3 }),
  repeated: fc.option(fc.constantFrom(...NAMES), { nil: undefined, freq: 8 }),
  recorded: fc.boolean(),
});

const signingKey = signingKeyOf(KEY.secretKey);

/** Who sends the request, when, and further good values. */
export interface Asking {
  readonly nowMs: number;
  /** Default: that of `KEY`. */
  readonly accessKey?: string;
  readonly good?: Readonly<Record<string, string>>;
}

/** The target of a request with a valid signature, so that the checks after it are reached. */
export function targetOf(
  { name, terms, given, missing, repeated }: HostileRequest,
  { nowMs, accessKey = KEY.accessKey, good = {} }: Asking,
): string {
  const values: Record<string, string> = Object.assign(
    Object.create(null),
    { ...GOOD, ...good },
    terms,
  );
  // Each of these operations works on a currency, the others on a market.
  if (/Address|Record|FeeInfo|SpotBills|withdraw/.test(name)) values.currency = 'btc';
  for (const one of missing) delete values[one];
  // `dictionary` has a prototype of its own to lose: __proto__ is a name like any other here.
  for (const one of Object.keys(given)) values[one] = given[one]!.toWellFormed();
  const isPublic = PUBLIC.includes(name);
  if (!isPublic) {
    Object.assign(values, { accesskey: accessKey, method: name });
    values.sign = signatureOf(signingKey, signedText(values));
    values.reqTime = String(nowMs);
  }
  const pairs = Object.entries(values).map(
    ([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`,
  );
  if (repeated !== undefined) pairs.push(`${encodeURIComponent(repeated)}=1`);
  return `${isPublic ? '/data/v1/' : '/api/'}${name}?${pairs.join('&')}`;
}

/** A value in the place of a time, a signature or a path that is none of these. */
export const hostileValue: fc.Arbitrary<string> = value;

/** The code of an answer; undefined if it has none, such as bare data. */
export function codeOf(body: string): number | undefined {
  const { code } = JSON.parse(body);
  return code === undefined ? undefined : Number(code);
}

/** Whether an answer is a success: the request was not refused. */
export function isDone(body: string): boolean {
  const code = codeOf(body);
  return code === undefined || code === 1000;
}

/** The bare successful answers, which have no code: market data, lists of orders, an account. */
function isBare(name: string, answer: unknown): boolean {
  if (Array.isArray(answer)) return name === 'trades' || name.includes('Orders');
  return PUBLIC.includes(name) || name === 'getOrder' || name === 'getAccountInfo';
}

/** An answer is JSON with a code and a message, or the data of an operation that has no code. */
export function expectWellFormed(name: string, body: string): void {
  const answer = JSON.parse(body);
  expect(body.isWellFormed()).toBe(true);
  if (answer.code === undefined) {
    expect(isBare(name, answer)).toBe(true);
    return;
  }
  expect(String(answer.code)).toMatch(/^[1-4]0\d\d$/);
  expect(Number(answer.code)).not.toBe(1002);
  expect(answer.message).toSatisfy(
    (message) => typeof message === 'string' || message.isSuc === true,
  );
}
