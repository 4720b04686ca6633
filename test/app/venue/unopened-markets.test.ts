import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/app/config/yaml.ts';
import { unopenedMarkets } from '../../../src/app/venue/unopened-markets.ts';

/** What is told of a deployment of btc_usdt and eth_usdt with these settings of its exchange. */
function told(venue: string, markets = '[btc_usdt, eth_usdt]'): string[] {
  const kind = venue.includes('kind:') ? '' : 'kind: simulated';
  return unopenedMarkets(parseYaml('a.yaml', `venue: { ${kind}${venue} }\nmarkets: ${markets}\n`));
}

const RECORDED_FROM_ODD_SOURCES =
  ', recordings: [{ dataset: my_feed.btc_usdt.trades }, { dataset: my_feed.v1.eth_usdt.depth }]';

describe('unopenedMarkets', () => {
  it('tells each market that the exchange of the file does not open, and what was meant', () => {
    expect(told(', markets: [{ id: btc_usdt }, { id: eth_usd }]')).toEqual([
      'a.yaml:2:21: Cannot trade market "eth_usdt": the exchange does not have it, did you mean "eth_usd"?',
    ]);
    expect(told('', '[sol_usdt, xrp_usdt]')).toEqual([
      'a.yaml:2:11: Cannot trade market "sol_usdt": the exchange does not have it, one of btc_usdt is wanted, or an entry for it in venue.markets',
      'a.yaml:2:21: Cannot trade market "xrp_usdt": the exchange does not have it, one of btc_usdt is wanted, or an entry for it in venue.markets',
    ]);
    expect(told(', recordings: [{ market: btc_usdt }]')).toEqual([
      'a.yaml:2:21: Cannot trade market "eth_usdt": the exchange does not have it, one of btc_usdt is wanted, or an entry for it in venue.markets',
    ]);
  });

  it.each([
    ['listed', ', markets: [{ id: btc_usdt }, { id: eth_usdt }]'],
    ['recorded, by name', ', recordings: [{ market: btc_usdt }, { dataset: a.eth_usdt.trades }]'],
    ['recorded from a source that looks like one', RECORDED_FROM_ODD_SOURCES],
    ['told by a recording alone', ', recordings: [{ file: a.csv }]'],
    ['those of another venue', 'kind: zb, markets: [{ id: ltc_usdt }]'],
    ['told wrong', ', markets: all'],
    ['no groups of settings', ', markets: [null, btc_usdt]'],
    ['in recordings told wrong', ', recordings: none'],
  ])('has nothing to say where markets are %s', (_how, venue) => {
    expect(told(venue)).toEqual([]);
  });

  it('leaves what is no market to the schema', () => {
    expect(told('', '[7, BTC]')).toEqual([]);
    expect(told('', 'btc_usdt')).toEqual([]);
  });
});
