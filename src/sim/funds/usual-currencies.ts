import { type ChainSettings, chainSchema } from './config.ts';

// Fees, confirmations and block times are of the size that exchanges asked for in 2022: the
// contract names none.

const BITCOIN = { confirmations: 2, blockMs: 600_000 };
const ETHEREUM = { confirmations: 12, blockMs: 13_000 };
const TRON = { confirmations: 20, blockMs: 3_000 };
const RIPPLE = { usesMemo: true, confirmations: 1, blockMs: 4_000 };
const EOS = { usesMemo: true, confirmations: 330, blockMs: 500 };

/** A chain, without the settings that have the defaults of the schema. */
type UsualChain = Partial<ChainSettings> & Pick<ChainSettings, 'name'>;

const USUAL: ReadonlyMap<string, { fullName: string; chains: UsualChain[] }> = new Map(
  Object.entries({
    btc: {
      fullName: 'Bitcoin',
      chains: [{ name: 'BTC', ...BITCOIN, withdrawalFee: '0.0005', minWithdrawal: '0.001' }],
    },
    eth: {
      fullName: 'Ethereum',
      chains: [{ name: 'ETH', ...ETHEREUM, withdrawalFee: '0.005', minWithdrawal: '0.01' }],
    },
    usdt: {
      fullName: 'Tether',
      chains: [
        { name: 'TRC20', ...TRON, mainChain: 'TRX', withdrawalFee: '1', minWithdrawal: '10' },
        { name: 'ERC20', ...ETHEREUM, mainChain: 'ETH', withdrawalFee: '5', minWithdrawal: '20' },
        { name: 'OMNI', ...BITCOIN, mainChain: 'BTC', withdrawalFee: '10', minWithdrawal: '100' },
      ],
    },
    qc: {
      fullName: 'QCash',
      chains: [{ name: 'QC', ...TRON, withdrawalFee: '5', minWithdrawal: '100' }],
    },
    zb: {
      fullName: 'ZB Token',
      chains: [{ name: 'ZB', ...TRON, withdrawalFee: '1', minWithdrawal: '10' }],
    },
    xrp: {
      fullName: 'Ripple',
      chains: [{ name: 'XRP', ...RIPPLE, withdrawalFee: '0.1', minWithdrawal: '20' }],
    },
    eos: {
      fullName: 'EOS',
      chains: [{ name: 'EOS', ...EOS, withdrawalFee: '0.1', minWithdrawal: '1' }],
    },
  }),
);

/** The usual name and chains of a currency: an unknown one has a chain of its own. */
export function usualCurrency(name: string): { fullName: string; chains: ChainSettings[] } {
  const upper = name.toUpperCase();
  const own = { name: upper, withdrawalFee: '0.01', minWithdrawal: '0.1' };
  const { fullName, chains } = USUAL.get(name) ?? { fullName: upper, chains: [own] };
  return { fullName, chains: chains.map((chain) => chainSchema.parse(chain)) };
}
