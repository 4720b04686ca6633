import { importsOf, resolveImport, type Source, stripStrings } from './sources.ts';

/** What a folder of `src` may import: other folders, and packages of the registry or of Node. */
interface Floor {
  readonly floors: readonly string[];
  readonly packages: readonly string[];
}

const BELOW_APP = [
  'kernel',
  'domain',
  'exchange',
  'market',
  'ledger',
  'strategy',
  'risk',
  'execution',
  'engine',
  'sim',
  'venues/zb',
  'history',
  'storage',
  'report',
];

/** The table of the design, in its order. */
export const FLOORS: Readonly<Record<string, Floor>> = {
  kernel: { floors: [], packages: ['rxjs'] },
  domain: { floors: ['kernel'], packages: [] },
  exchange: { floors: ['kernel', 'domain'], packages: ['rxjs'] },
  market: { floors: ['kernel', 'domain', 'exchange'], packages: ['rxjs', 'zod'] },
  ledger: { floors: ['kernel', 'domain', 'exchange'], packages: ['rxjs', 'zod'] },
  strategy: { floors: ['kernel', 'domain', 'market', 'ledger'], packages: ['rxjs', 'zod'] },
  risk: { floors: ['kernel', 'domain', 'market', 'ledger'], packages: ['rxjs', 'zod'] },
  execution: {
    floors: ['kernel', 'domain', 'exchange', 'ledger', 'risk'],
    packages: ['rxjs', 'zod'],
  },
  engine: {
    floors: ['kernel', 'domain', 'exchange', 'market', 'ledger', 'strategy', 'risk', 'execution'],
    packages: ['rxjs', 'zod'],
  },
  sim: { floors: ['kernel', 'domain', 'exchange'], packages: ['rxjs', 'zod'] },
  'venues/zb': {
    floors: ['kernel', 'domain', 'exchange'],
    packages: ['rxjs', 'zod', 'undici', 'ws', 'node:'],
  },
  history: {
    floors: ['kernel', 'domain'],
    packages: [
      ...['rxjs', 'zod', 'node:', '@duckdb/node-api', 'hyparquet-writer', 'yauzl'],
      ...['@uwdata/flechette', 'lz4js'],
    ],
  },
  storage: { floors: ['kernel', 'domain'], packages: ['rxjs', 'zod', 'node:'] },
  report: { floors: ['kernel', 'domain'], packages: ['rxjs', 'zod'] },
  app: {
    floors: BELOW_APP,
    packages: ['rxjs', 'zod', 'pino', 'yaml', 'fastest-levenshtein', 'node:'],
  },
  cli: { floors: ['app'], packages: ['rxjs', 'commander', 'node:'] },
};

/** The floor that a file of `src` stands on. */
export function floorOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  return first === 'venues' ? `${first}/${second}` : first;
}

/** Every import of the source that its floor does not allow, as a sentence. */
export function violationsOf(source: Source): string[] {
  return importsOf(source).flatMap((specifier) => {
    const why = forbids(source, specifier);
    return why === undefined ? [] : [`${source.path} imports ${specifier}: ${why}`];
  });
}

function forbids(source: Source, specifier: string): string | undefined {
  if (source.path.startsWith('strategies/')) {
    return specifier === '#strategy' ? undefined : 'a strategy may import #strategy only';
  }
  const name = floorOf(source.path);
  const floor = FLOORS[name];
  if (floor === undefined) return `the folder ${name} has no floor`;
  if (!specifier.startsWith('.')) {
    return floor.packages.some((allowed) => matches(specifier, allowed))
      ? undefined
      : `${name} may import the packages ${floor.packages.join(', ') || '(none)'} only`;
  }
  const target = resolveImport(source, specifier);
  const other = floorOf(target);
  if (other === name) return undefined;
  if (!floor.floors.includes(other)) return `${name} may import ${floor.floors.join(', ')} only`;
  return target === `src/${other}/index.ts` || other === 'venues/zb' || target.endsWith('config.ts')
    ? undefined
    : `another floor is entered through its index.ts`;
}

function matches(specifier: string, allowed: string): boolean {
  if (allowed.endsWith(':')) return specifier.startsWith(allowed);
  return specifier === allowed || specifier.startsWith(`${allowed}/`);
}

/** What may not be used below `app`, and what takes its place. */
export const BANNED: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\bDate\.now\b/, instead: 'clock.now()' },
  { pattern: /\bnew Date\(\s*\)/, instead: 'new Date(clock.now())' },
  { pattern: /\bperformance\.now\b/, instead: 'clock.now()' },
  { pattern: /\bset(?:Timeout|Interval|Immediate)\b/, instead: 'clock.schedule(work, delayMs)' },
  { pattern: /\bqueueMicrotask\b|\bprocess\.nextTick\b/, instead: 'a synchronous call' },
  { pattern: /\bMath\.random\b/, instead: 'random.next()' },
  { pattern: /\brandomUUID\b|\brandomBytes\b/, instead: 'ids handed in by app' },
  { pattern: /\basyncScheduler\b|\basapScheduler\b/, instead: 'the clock' },
];

/** Rxjs operators that take a scheduler last and fall back to ambient time without one. */
const TIMED =
  /\b(?:timer|interval|debounceTime|throttleTime|auditTime|sampleTime|delay|bufferTime|windowTime|timeInterval|timestamp|timeout|timeoutWith|observeOn|subscribeOn)\(([^()]|\([^()]*\))*\)/g;

/** Uses of ambient time and randomness in a source, each with what to use instead. */
export function ambientUsesOf(source: Source): string[] {
  const lines = source.code.split('\n');
  const banned = lines.flatMap((line, index) =>
    BANNED.filter(({ pattern }) => pattern.test(line)).map(
      ({ pattern, instead }) =>
        `${source.path}:${index + 1} uses ${pattern.exec(line)![0]}: use ${instead}`,
    ),
  );
  const timed = [...source.code.matchAll(TIMED)]
    .filter(([call]) => /from 'rxjs/.test(source.code) && !/clock|scheduler/i.test(call))
    .map(([call]) => `${source.path} calls ${call} on ambient time: hand it the clock`);
  return [...banned, ...timed];
}

/** Between a tick and its request nothing waits for a microtask: floors without promises. */
const SYNCHRONOUS = [
  ...['kernel', 'domain', 'market', 'ledger', 'strategy', 'risk', 'execution', 'engine', 'sim'],
  'venues/zb/client',
].map((folder) => `src/${folder}/`);

/** Files that need promises: each closes or reads something outside the path of an order. */
const MAY_PROMISE = [
  /^src\/venues\/zb\/client\/(?:connect|rest\/all-orders|network\/(?:undici-)?transport)\.ts$/,
  /^src\/sim\/replay-[\w-]+\.ts$/,
];

const PROMISES =
  /\b(?:async|await|Promise|PromiseLike|firstValueFrom|lastValueFrom)\b|\.then\(|\bimport\(/;

/** Promises in a source that may have none, as sentences. */
export function promisesOf({ path, code }: Source): string[] {
  const isBound = SYNCHRONOUS.some((folder) => path.startsWith(folder));
  if (!isBound || MAY_PROMISE.some((pattern) => pattern.test(path))) return [];
  return stripStrings(code)
    .split('\n')
    .flatMap((line, index) => {
      const found = PROMISES.exec(line);
      return found === null ? [] : [`${path}:${index + 1} uses ${found[0]}: use an observable`];
    });
}
