import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/kernel/index.ts';
import { Currencies } from '../../../src/sim/currencies.ts';
import { catalogueOf, isExact } from '../../../src/sim/funds/catalogue.ts';
import { type CurrencySettings, currencySchema } from '../../../src/sim/funds/config.ts';
import { makeMarket } from '../../domain/fixture.ts';

const settings = (given: object): CurrencySettings => currencySchema.parse(given);

function catalogueFixture(given: Record<string, CurrencySettings> = {}) {
  return catalogueOf(new Currencies([], { extra: ['btc', 'xrp', 'foo', 'constructor'] }), given);
}

describe('catalogueOf', () => {
  test('knows the usual currencies, and gives any other a chain of its own', () => {
    const catalogue = catalogueFixture();
    expect(catalogue.get('btc')).toMatchObject({ fullName: 'Bitcoin', decimals: 8, index: 0 });
    expect(catalogue.get('xrp')!.chains[0].usesMemo).toBe(true);
    for (const name of ['foo', 'constructor']) {
      const { fullName, chains } = catalogue.get(name)!;
      expect([fullName, chains.map((chain) => chain.mainChain)]).toEqual([
        name.toUpperCase(),
        [name.toUpperCase()],
      ]);
    }
  });

  test('charges whole units of a currency that is counted in large ones', () => {
    const worths = new Map([['btc_usdt', { highest: 0.000_01 }]]);
    const market = makeMarket({ priceScale: 12, amountScale: 2 });
    const coarse = new Currencies([market], { worths });
    const [chain] = catalogueOf(coarse, {}).get('btc')!.chains;
    expect([coarse.scaleOf('btc'), String(chain.fee)]).toEqual([4, '0.0005']);
    const coarser = new Currencies([{ ...market, amountScale: 0 }], {
      worths: new Map([['btc_usdt', { highest: 0.000_000_1 }]]),
    });
    expect(String(catalogueOf(coarser, {}).get('btc')!.chains[0].fee)).toBe('0.01');
  });

  test('takes what is configured and leaves the rest as usual', () => {
    const chains = [
      { name: 'A', withdrawalFee: '0.25' },
      { name: 'B', mainChain: 'C' },
    ];
    const catalogue = catalogueFixture({
      btc: settings({ decimals: 4 }),
      foo: settings({ fullName: 'Foo', decimals: 2, chains }),
    });
    expect(catalogue.get('btc')).toMatchObject({ fullName: 'Bitcoin', decimals: 4 });
    const foo = catalogue.get('foo')!;
    expect(foo.chains.map(({ name, mainChain, fee }) => `${name} ${mainChain} ${fee}`)).toEqual([
      'A A 0.25',
      'B C 0',
    ]);
  });

  test.each([
    [{ decimals: 3 }, /at most 3 decimal places/, 'decimals'],
    [
      { chains: [{ name: 'A' }, { name: 'B', minWithdrawal: '0.000000001' }] },
      /at most 8 decimal places/,
      'chains.1',
    ],
  ])('refuses %j', (given, message, place) => {
    const open = () => catalogueFixture({ btc: settings(given) });
    const path = ['currencies', 'btc', ...place.split('.')].map((key) => {
      return /^\d$/.test(key) ? Number(key) : key;
    });
    expect(open).toThrow(expect.objectContaining({ name: 'SimulationError', path }));
    expect(open).toThrow(message);
  });
});

describe('isExact', () => {
  test('counts digits, not written places', () => {
    expect(isExact(Decimal.of('1.50000'), 1)).toBe(true);
    expect(isExact(Decimal.of('1.51'), 1)).toBe(false);
    expect(isExact(Decimal.of('1e30'), 0)).toBe(true);
  });
});
