import type { TradingEvent } from '../../../domain/index.ts';
import type { Bus } from '../../../kernel/index.ts';
import type { EndedStrategy, RunRecord, StoppedTrading } from '../../../report/index.ts';
import { momentText } from '../moment.ts';
import { renamedIn, type ShownNames } from '../record/shown-names.ts';

/** Notes which strategies were over before the run was, and whether new orders may still leave. */
export class Endings {
  readonly #ended = new Map<string, EndedStrategy>();
  #trading: StoppedTrading | undefined;

  constructor(bus: Bus<TradingEvent>, names: ShownNames) {
    bus.on('strategy').subscribe(({ strategy: name, status, time: at, reason }) => {
      if (status !== 'failed' && status !== 'ended') return;
      this.#ended.set(name, { strategy: names.get(name) ?? name, status, at, reason });
    });
    bus.on('tradingState').subscribe(({ state, time: at, ...why }) => {
      const reason = renamedIn(why.reason, names);
      this.#trading = state === 'ACTIVE' ? undefined : { state, at, reason };
    });
  }

  /** Strategies that are over, in the order in which they ended. */
  get strategies(): readonly EndedStrategy[] {
    return [...this.#ended.values()];
  }

  /** Why trading is stopped; undefined while new orders may leave. */
  get trading(): StoppedTrading | undefined {
    return this.#trading;
  }

  /** A sentence for each strategy that is over, and one if trading is stopped. */
  notes(): string[] {
    const trading = this.#trading;
    return [
      ...this.strategies.map(endingText),
      ...(trading === undefined
        ? []
        : [
            `Trading was ${trading.state} from ${momentText(trading.at)} UTC to the end: ` +
              `${trading.reason}.`,
          ]),
    ];
  }
}

/** A sentence about a strategy that was over before its run was. */
export function endingText({ strategy, status, at, reason }: EndedStrategy): string {
  return `Strategy ${strategy} ${status} at ${momentText(at)} UTC: ${reason}.`;
}

/** What a check says about strategies that were over before the data ended. */
export interface CheckEndings {
  /** A sentence for each. */
  readonly endings: readonly string[];
  /** Whether all strategies were over. */
  readonly isOver: boolean;
}

export function checkEndings({
  ended,
  strategies,
}: Pick<RunRecord, 'ended' | 'strategies'>): CheckEndings {
  return { endings: ended.map(endingText), isOver: ended.length === strategies.length };
}
