import type { TradingEvent } from '../../src/domain/index.ts';
import { HashJournal } from '../../src/storage/index.ts';

/** A journal in memory, to look at what was appended. */
export class KeptJournal extends HashJournal {
  readonly events: TradingEvent[] = [];

  override append(event: TradingEvent): void {
    super.append(event);
    this.events.push(event);
  }
}
