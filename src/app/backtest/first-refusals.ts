import type { TradingEvent } from '../../domain/index.ts';
import type { Bus } from '../../kernel/index.ts';
import { refusalText, type SettingOf } from '../refusal-settings.ts';
import type { BacktestConfig } from './config.ts';
import { momentText } from './moment.ts';
import { lacksFee } from './unpaid-fees.ts';

export interface FirstRefusalsOptions {
  readonly bus: Bus<TradingEvent>;
  /** The currency that fees are taken in. */
  readonly feesIn: BacktestConfig['fees']['in'];
  /** Names the settings that set limits. */
  readonly settingOf: SettingOf;
}

/** What was refused for one reason: how often, and the first time in words. */
interface Refused {
  readonly first: string;
  count: number;
}

/**
 * Counts what risk and the exchange refused, and keeps the first of each kind: a run that hardly
 * trades must say why. Want of money for a fee is for `UnpaidFees` to tell.
 */
export class FirstRefusals {
  readonly #byRisk = new Map<string, Refused>();
  readonly #byExchange = new Map<string, Refused>();

  constructor({ bus, feesIn, settingOf }: FirstRefusalsOptions) {
    bus.on('refusal').subscribe(({ market, time, refusal }) => {
      const first = (): string => {
        const what = refusalText(refusal, settingOf(refusal, market));
        return `${at(time)} in ${market}: ${what}`;
      };
      count(this.#byRisk, { name: refusal.code, first });
    });
    bus.on('order').subscribe(({ market, time, order }) => {
      if (order.status !== 'rejected' || lacksFee(order, feesIn)) return;
      const name = String(order.code ?? 'not sent');
      count(this.#byExchange, { name, first: () => `${at(time)} in ${market}: ${order.reason}` });
    });
  }

  /** What the reader must know: whole sentences. */
  notes(): string[] {
    return [...told('Risk', this.#byRisk), ...told('The exchange', this.#byExchange)];
  }
}

function count(
  refused: Map<string, Refused>,
  { name, first }: { readonly name: string; readonly first: () => string },
): void {
  const known = refused.get(name);
  if (known === undefined) refused.set(name, { first: first(), count: 1 });
  else known.count++;
}

function told(who: string, refused: ReadonlyMap<string, Refused>): string[] {
  return Array.from(refused, ([code, { first, count: times }]) =>
    times === 1
      ? `${who} refused once (${code}), ${first}.`
      : `${who} refused ${times} times (${code}), the first ${first}.`,
  );
}

function at(timeMs: number): string {
  return `at ${momentText(timeMs)} UTC`;
}
