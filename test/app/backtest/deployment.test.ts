import { describe, expect, it } from 'vitest';
import { accountCurrency, loadBacktest } from '../../../src/app/backtest/deployment.ts';
import { backtestFile } from './fixture.ts';

/** The file of a deployment of some markets whose account starts with btc. */
function fileOf(markets: readonly string[], currency?: string): string {
  return backtestFile({
    markets,
    strategies: [{ use: 'grid', params: { amount: 1 } }],
    backtest: { balances: { btc: '1' }, ...(currency && { report: { currency } }) },
  });
}

describe('loadBacktest', () => {
  it.each([
    [
      ['btc_usdt', 'eth_eur', 'sol_eur'],
      undefined,
      'Cannot value eth in usdt, the currency of the account: no market of the deployment leads ' +
        'there, one such as eth_usdt is wanted in markets (strategies need not trade it), or ' +
        'another backtest.report.currency',
    ],
    [['eth_btc', 'btc_usdt', 'sol_eur'], 'btc', 'Cannot value sol in btc, the currency of the'],
    [
      ['eth_btc'],
      'usdt',
      'Cannot value the account in usdt: no market of the deployment trades it, one of eth, btc',
    ],
    [['eth_btc', 'btc_usdt'], 'usd', 'the deployment trades it, did you mean "usdt"?'],
  ])('names what cannot be valued, and where: %j in %s', (markets, currency, what) => {
    const file = fileOf(markets, currency);
    expect(() => loadBacktest(file)).toThrow(what);
    expect(() => loadBacktest(file)).toThrow(/deployment\.yaml:\d+:\d+: /);
  });
});

describe('loadBacktest, with choices of the command line,', () => {
  it('places their faults at the flags, those of the file in it', () => {
    const choices = { from: '2024-01-02', to: '2024-01-01', dataFolder: undefined };
    const { yaml } = loadBacktest(fileOf(['btc_usdt']), choices);
    expect(yaml.locate(['backtest', 'from'])).toBe('--from');
    expect(yaml.locate(['backtest', 'to'])).toBe('--to');
    expect(yaml.locate(['backtest', 'dataFolder'])).toMatch(/deployment\.yaml:\d+:\d+$/);
    expect(yaml.locate(['backtest', 'balances'])).toMatch(/deployment\.yaml:\d+:\d+$/);
    const made = () => loadBacktest(fileOf(['btc_usdt']), { dataFolder: 'mine' });
    expect(made).toThrow('--data: Cannot take datasets from mine: backtest.data names none');
  });
});

describe('accountCurrency', () => {
  it.each([
    [['btc_usdt'], undefined, 'usdt'],
    [['eth_btc', 'btc_usdt'], undefined, 'usdt'],
    [['eth_btc', 'btc_usdt'], 'eth', 'eth'],
  ])('is the one that is asked for, or the usual one: of %j %s', (markets, asked, currency) => {
    expect(accountCurrency(loadBacktest(fileOf(markets, asked)))).toBe(currency);
  });
});
