import { filter } from 'rxjs';
import { type EventKind, type Market, type TradingEvent, timeOf } from '../../domain/index.ts';
import { StrategyHost, type StrategyInstance } from '../../engine/index.ts';
import { Bus, type Logger, type Random } from '../../kernel/index.ts';
import { DirectStreams, type RecordedData } from '../../market/index.ts';
import type { JournalEntry } from '../../storage/index.ts';
import { FreshnessBoard } from '../../strategy/index.ts';
import type { Blot } from '../secrets.ts';
import { decisionOf, type MadeDecision } from './decision.ts';
import type { ReplayLedger } from './replay-ledger.ts';
import { ReplayTimers } from './replay-timers.ts';

/** Kinds of events that a strategy may see: recorded ones are given to it again. */
const INPUTS: ReadonlySet<EventKind> = new Set([
  ...(['ticker', 'depth', 'trade', 'candle', 'freshness', 'gap', 'connection'] as const),
  ...(['order', 'fill', 'lateFee', 'refusal', 'position', 'balance', 'run'] as const),
]);

export interface StageOptions {
  readonly markets: ReadonlyMap<string, Market>;
  readonly strategies: readonly StrategyInstance[];
  /** Of the strategies, as the recorded run had it. */
  readonly random: Random;
  readonly logger: Logger;
  /** As in the recorded run, so that secrets which it blotted out are no difference. */
  readonly blot: Blot | undefined;
  /** The ledger with what earlier runs left. */
  readonly ledger: ReplayLedger;
  readonly onDecision: (decision: MadeDecision) => void;
}

/**
 * A stage on which strategies play once more what they did in a recorded run: they are given its
 * events as they stood on the bus, in their order, at their times. Nobody hears their wishes.
 */
export class ReplayStage {
  readonly #bus = new Bus<TradingEvent>();
  readonly #timers = new ReplayTimers();
  readonly #host: StrategyHost;
  readonly #options: StageOptions;
  #input: JournalEntry | undefined;
  #lostTimers = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    const bus = this.#bus;
    const timers = this.#timers;
    const { markets, strategies: instances, random, logger, ledger, blot } = options;
    const freshness = new FreshnessBoard(bus);
    this.#host = new StrategyHost({
      ...{ bus, random, instances, blot },
      clock: timers.clockOf(''),
      clockOf: (strategy, step) => timers.clockOf(strategy, step),
      sources: {
        ...{ bus, logger, clock: timers.clockOf(''), streams: recordedStreams(bus, markets) },
        ...{ orders: ledger, balances: ledger, positions: ledger },
        freshness: (market) => freshness.of(market),
      },
      onIntent: (strategy, intent) =>
        this.#note({ strategy, decision: { kind: 'intent', intent } }),
      onOver: () => {},
    });
    bus.on('strategy').subscribe((event) => {
      const decided = decisionOf(event);
      if (decided !== undefined) this.#note(decided);
    });
    const running = bus.on('run').pipe(filter(({ status }) => status === 'running'));
    running.subscribe(() => this.#host.start());
  }

  /** The last event that the strategies were given. */
  get input(): JournalEntry | undefined {
    return this.#input;
  }

  /** Timers that went off in the recorded run and that no strategy had here. */
  get lostTimers(): number {
    return this.#lostTimers;
  }

  /** Books the fills and late fees of the next events before any of these is delivered. */
  book(events: readonly TradingEvent[]): void {
    const { ledger } = this.#options;
    for (const event of events) {
      if (event.kind === 'fill') ledger.fold(event.fill);
      else if (event.kind === 'lateFee') ledger.fold(event.lateFee);
    }
  }

  /** Plays one event. True where it was an input. */
  play(entry: JournalEntry): boolean {
    const { event } = entry;
    this.#timers.moveTo(timeOf(event));
    if (event.kind === 'timer') {
      this.#input = entry;
      if (!this.#timers.goOff(event.strategy, event.timer)) this.#lostTimers++;
      return true;
    }
    if (!INPUTS.has(event.kind)) return false;
    this.#input = entry;
    this.#options.ledger.take(event);
    this.#bus.publish(event);
    if (event.kind === 'run' && event.status === 'stopping') this.#host.stop(event.reason);
    return true;
  }

  #note(decided: Pick<MadeDecision, 'strategy' | 'decision'>): void {
    const { nowMs: time } = this.#timers;
    this.#options.onDecision({ ...decided, time, input: this.#input });
  }
}

/** Market data as the recorded run published them, of whatever kind. */
function recordedStreams(bus: Bus<TradingEvent>, markets: ReadonlyMap<string, Market>) {
  const kinds: RecordedData['kinds'] = new Set(['ticker', 'depth', 'trade', 'candle']);
  const recorded = new Map(Array.from(markets.keys(), (name) => [name, { name, kinds }]));
  return new DirectStreams({ bus, recorded });
}
