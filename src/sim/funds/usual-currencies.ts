import type { ChainSettings, CurrencySettings } from './config.ts';

// Fees, confirmations and block times are of the order that exchanges asked for in 2022: the
// contract names none.

const chain = (name: string, settings: Partial<ChainSettings>): ChainSettings => ({
  name,
  withdrawalFee: '0.01',
  minWithdrawal: '0.1',
  usesMemo: false,
  confirmations: 6,
  blockMs: 60_000,
  canDeposit: true,
  canWithdraw: true,
  ...settings,
});

const BITCOIN = { confirmations: 2, blockMs: 600_000 };
const ETHEREUM = { confirmations: 12, blockMs: 13_000 };
const TRON = { confirmations: 20, blockMs: 3_000 };

const USUAL: ReadonlyMap<string, CurrencySettings> = new Map<string, CurrencySettings>(
  Object.entries({
    btc: {
      fullName: 'Bitcoin',
      chains: [chain('BTC', { ...BITCOIN, withdrawalFee: '0.0005', minWithdrawal: '0.001' })],
    },
    eth: {
      fullName: 'Ethereum',
      chains: [chain('ETH', { ...ETHEREUM, withdrawalFee: '0.005', minWithdrawal: '0.01' })],
    },
    usdt: {
      fullName: 'Tether',
      chains: [
        chain('TRC20', { ...TRON, mainChain: 'TRX', withdrawalFee: '1', minWithdrawal: '10' }),
        chain('ERC20', { ...ETHEREUM, mainChain: 'ETH', withdrawalFee: '5', minWithdrawal: '20' }),
        chain('OMNI', { ...BITCOIN, mainChain: 'BTC', withdrawalFee: '10', minWithdrawal: '100' }),
      ],
    },
    qc: {
      fullName: 'QCash',
      chains: [chain('QC', { ...TRON, withdrawalFee: '5', minWithdrawal: '100' })],
    },
    zb: {
      fullName: 'ZB Token',
      chains: [chain('ZB', { ...TRON, withdrawalFee: '1', minWithdrawal: '10' })],
    },
    xrp: {
      fullName: 'Ripple',
      chains: [
        chain('XRP', {
          usesMemo: true,
          confirmations: 1,
          blockMs: 4_000,
          withdrawalFee: '0.1',
          minWithdrawal: '20',
        }),
      ],
    },
    eos: {
      fullName: 'EOS',
      chains: [
        chain('EOS', {
          usesMemo: true,
          confirmations: 330,
          blockMs: 500,
          withdrawalFee: '0.1',
          minWithdrawal: '1',
        }),
      ],
    },
  }),
);

/** What is usual of a currency: a chain of its own where nothing better is known. */
export function usualCurrency(name: string): { fullName: string; chains: ChainSettings[] } {
  const upper = name.toUpperCase();
  const { fullName = upper, chains = [chain(upper, {})] } = USUAL.get(name) ?? {};
  return { fullName, chains };
}
