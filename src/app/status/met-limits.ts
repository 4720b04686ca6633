import type { TradingEvent } from '../../domain/index.ts';
import type { Bus } from '../../kernel/index.ts';
import type { SettingOf } from '../refusal-settings.ts';

/** Remembers which settings set the limits that refusals met: the first of each kind and market. */
export class MetLimits {
  readonly #settings = new Map<string, Map<string, string | undefined>>();

  constructor(bus: Bus<TradingEvent>, settingOf: SettingOf) {
    bus.on('refusal').subscribe(({ market, refusal }) => {
      const met = this.#settings.get(refusal.code) ?? new Map<string, string | undefined>();
      if (met.has(market)) return;
      this.#settings.set(refusal.code, met.set(market, settingOf(refusal, market)));
    });
  }

  /** The settings by the code of their refusals, without codes that no setting limits. */
  read(): ReadonlyMap<string, string> {
    const told = Array.from(this.#settings, ([code, met]): [string, string] => {
      return [code, [...new Set(met.values())].filter((one) => one !== undefined).join(' or ')];
    });
    return new Map(told.filter(([, settings]) => settings !== ''));
  }
}
