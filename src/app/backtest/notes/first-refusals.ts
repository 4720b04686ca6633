import type { TradingEvent } from '../../../domain/index.ts';
import type { Tally } from '../../../engine/index.ts';
import { type Bus, getOrInsert, grouped } from '../../../kernel/index.ts';
import { refusalText, type SettingOf } from '../../refusal-settings.ts';
import type { BacktestConfig } from '../config.ts';
import { momentText } from '../moment.ts';
import { renamedIn, type ShownNames } from '../record/shown-names.ts';
import { lacksFee } from './unpaid-fees.ts';

export interface FirstRefusalsOptions {
  readonly bus: Bus<TradingEvent>;
  readonly fees: BacktestConfig['fees'];
  /** Names the setting behind a limit. */
  readonly settingOf: SettingOf;
  readonly names: ShownNames;
}

/** What was refused for one reason: how often, and the first time in words. */
interface Refused {
  readonly first: string;
  count: number;
  /** How many wishes it was, each tried again while it stood. Default: one for each refusal. */
  readonly wishes?: number;
}

/**
 * Keeps the first refusal of each kind, by risk and by the exchange: a run that hardly trades must
 * say why. Refusals for lack of money for a fee are left to `UnpaidFees`.
 */
export class FirstRefusals {
  readonly #byRisk = new Map<string, string>();
  /** By the exchange's code; undefined: orders that never reached it. */
  readonly #byExchange = new Map<number | undefined, Refused>();

  constructor({ bus, fees, settingOf, names }: FirstRefusalsOptions) {
    bus.on('refusal').subscribe(({ market, time, refusal }) => {
      if (this.#byRisk.has(refusal.code)) return;
      const text = refusalText(refusal, settingOf(refusal, market));
      const what = renamedIn(text, names);
      this.#byRisk.set(refusal.code, `${at(time)} in ${market}: ${what}`);
    });
    bus.on('order').subscribe(({ market, time, order }) => {
      if (order.status !== 'rejected' || lacksFee(order, fees)) return;
      getOrInsert(this.#byExchange, order.code, () => {
        return { first: `${at(time)} in ${market}: ${order.reason}`, count: 0 };
      }).count++;
    });
  }

  /** What was refused: whole sentences. `counts`: how often risk refused, by code. */
  notes(counts: Tally['refusals']): string[] {
    const byRisk = Array.from(this.#byRisk, ([code, first]) => {
      const { wishes, tries } = counts.get(code) ?? { wishes: 1, tries: 1 };
      return [code, { first, count: tries, wishes }] as const;
    });
    const byExchange = [...this.#byExchange].filter(([code]) => code !== undefined);
    const unreached = notReached(this.#byExchange.get(undefined));
    return [...told('Risk', byRisk), ...told('The exchange', byExchange), ...unreached];
  }
}

function told(
  who: string,
  refused: Iterable<readonly [code: string | number | undefined, of: Refused]>,
): string[] {
  return Array.from(refused, ([code, { first, count: times, wishes = times }]) => {
    if (times === 1) return `${who} refused once (${code}), ${first}.`;
    const what = wishes === 1 ? 'a wish' : `${grouped(wishes)} wishes`;
    const often = wishes < times ? `${what} in ${grouped(times)} tries` : `${grouped(times)} times`;
    return `${who} refused ${often} (${code}), the first ${first}.`;
  });
}

function notReached(orders: Refused | undefined): string[] {
  if (orders === undefined) return [];
  const { first, count: times } = orders;
  return [
    times === 1
      ? `An order did not reach the exchange, ${first}.`
      : `${grouped(times)} orders did not reach the exchange, the first ${first}.`,
  ];
}

function at(timeMs: number): string {
  return `at ${momentText(timeMs)} UTC`;
}
