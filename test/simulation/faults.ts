import type { Random } from '../../src/kernel/index.ts';

/** What can go wrong with one request. */
export const REQUEST_FAULTS = [
  /** The connection is refused: nothing left. */
  'refused',
  /** Reset before a byte arrived. */
  'resetBefore',
  /** Reset after the exchange acted. */
  'resetAfter',
  /** Lost on the way there: a time-out without effect. */
  'lost',
  /** Lost on the way back: a time-out with effect. */
  'silent',
  /** The answer takes seconds; some are given up before it comes. */
  'slow',
  /** Lost on the way there, and sent again at pauses that double, until it is given up. */
  'resent',
  /** Held by somebody on the way: the request arrives after it was given up. */
  'stuck',
  /** The answer is cut off in the middle. */
  'truncated',
  /** A proxy's page with status 200, with or without effect. */
  'page',
  /** Status 502, with or without effect. */
  'badGateway',
  /** The exchange's own words for overload, with or without effect. */
  'busy',
  /** An error code that nobody has heard of, with or without effect. */
  'strangeCode',
  /** The exchange calls our pace too fast although it is not. */
  'limited',
  /** The answer comes twice. */
  'repeated',
  /** It arrives twice, as when a proxy repeats it; the answer is that to the first, or the second. */
  'duplicated',
] as const;
export type RequestFault = (typeof REQUEST_FAULTS)[number];

/** What can go wrong with pushes. */
export interface PushFaults {
  /** Chances of a new connection: refused, open but mute, shut at once. */
  readonly refused: number;
  readonly mute: number;
  readonly shut: number;
  /** A connection that stood ends, or falls silent for ever, so often a minute. */
  readonly endsPerMinute: number;
  readonly diesPerMinute: number;
  /** Chances of a frame from the exchange. */
  readonly dropped: number;
  readonly repeated: number;
  /** Chance that a private channel is refused. */
  readonly channelRefused: number;
  /** Delay of single channels behind the others, up to this many milliseconds. */
  readonly lagMs: number;
}

/** How a network behaves for a while. */
export interface Weather {
  /** Mean of the exponential one-way delay, milliseconds. */
  readonly delayMs: number;
  readonly requests: Readonly<Partial<Record<RequestFault, number>>>;
  /** Requests whose target holds this text fail so many times more often. */
  readonly worse?: { readonly text: string; readonly factor: number } | undefined;
  readonly pushes: PushFaults;
  /** The whole network stops for a while so often a minute. */
  readonly stallsPerMinute: number;
}

const NO_PUSH_FAULTS: PushFaults = {
  refused: 0,
  mute: 0,
  shut: 0,
  endsPerMinute: 0,
  diesPerMinute: 0,
  dropped: 0,
  repeated: 0,
  channelRefused: 0,
  lagMs: 0,
};

/** Nothing goes wrong. */
export const CALM: Weather = {
  delayMs: 10,
  requests: {},
  pushes: NO_PUSH_FAULTS,
  stallsPerMinute: 0,
};

/** How the targets of operations begin; those that place one order or many are one of them. */
const TARGETS = [
  '/api/order',
  '/api/cancelOrder?',
  '/api/cancelAllOrdersAfter?',
  '/api/getOrder?',
  '/api/getAccountInfo?',
];

/** Draws how badly everything goes for the next while. */
export function drawWeather(random: Random): Weather {
  const severity = random.next() ** 2;
  const some = (share: number, most: number) => (random.next() < share ? random.next() * most : 0);
  const requests = Object.fromEntries(
    REQUEST_FAULTS.map((fault) => [fault, some(0.5, 0.06 * severity)]),
  );
  const text = TARGETS[random.integer(TARGETS.length)]!;
  const worse = { text, factor: 5 + random.integer(20) };
  return {
    delayMs: [2, 10, 60][random.integer(3)]!,
    requests,
    worse: random.next() < 0.3 ? worse : undefined,
    pushes: {
      refused: some(0.3, 0.5),
      mute: some(0.3, 0.3),
      shut: some(0.3, 0.6),
      endsPerMinute: some(0.4, 3),
      diesPerMinute: some(0.4, 1),
      dropped: some(0.5, 0.3),
      repeated: some(0.5, 0.3),
      channelRefused: some(0.3, 0.3),
      lagMs: some(0.5, 1_500),
    },
    stallsPerMinute: some(0.3, 1),
  };
}

/** Draws the fault of one request, most often none. */
export function drawFault(
  { requests, worse }: Weather,
  { random, target }: { readonly random: Random; readonly target: string },
): RequestFault | undefined {
  const factor = worse !== undefined && target.startsWith(worse.text) ? worse.factor : 1;
  let draw = random.next();
  for (const fault of REQUEST_FAULTS) {
    // What calls our pace too fast speaks to all requests alike.
    draw -= (requests[fault] ?? 0) * (fault === 'limited' ? 1 : factor);
    if (draw < 0) return fault;
  }
  return undefined;
}
