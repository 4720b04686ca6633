/** Exit codes of the commands, and what each says. Stable: scripts may rely on them. */
const EXITS = {
  success: [0, 'the command did what it was told'],
  defect: [
    1,
    'an error that nobody foresaw; the run was stopped in order where it could be. Or standard output ' +
      'did not take all of what was found, as on a full disk',
  ],
  usage: [2, 'the command line is wrong'],
  configuration: [
    3,
    'unknown key, bad value, missing file or environment variable, no such strategy; or the access ' +
      'key may not trade, may withdraw, or another process trades with it',
  ],
  exchange: [
    4,
    'the exchange is down, refuses the key, or its port is in use; or it has changed the rules of a ' +
      'market, which a start reads',
  ],
  strategy: [5, 'the last strategy threw or ended'],
  unverified: [
    6,
    'the run stopped, or orders were cancelled by hand, but they could not be shown to be gone',
  ],
  journal: [7, 'the journal cannot be opened, read or written'],
  recording: [8, 'a recording or a dataset cannot be read, or a strict check found a fault'],
  unknown: [9, 'what was sent may or may not have taken effect: look it up, do not repeat it'],
  refused: [
    10,
    'the exchange, or a check ahead of it, refused what was asked: nothing was done, of a batch no more than is named',
  ],
  declined: [11, 'a person said no, or there was none to ask: nothing was done'],
  different: [12, 'a replay or a check came out different from what it was held against'],
} as const;
export type ExitReason = keyof typeof EXITS;

/** The code that each end of a command has. */
export const EXIT_CODES = Object.fromEntries(
  Object.entries(EXITS).map(([reason, [code]]) => [reason, code]),
) as Readonly<Record<ExitReason, number>>;

/** All codes and what they say; those that a signal leaves (128 and its number) come last. */
export const EXIT_MEANINGS: readonly (readonly [codes: string, meaning: string])[] = [
  ...Object.values(EXITS).map(([code, meaning]) => [String(code), meaning] as const),
  [
    '129, 130, 143',
    'ended by SIGHUP (its terminal was closed), Ctrl-C or SIGTERM: a backtest, and other commands ' +
      'where they can stop anywhere; what has sent an order or money ends with 9',
  ],
  ['137', 'killed, by the signal 9: a run whose strategy hung for 90 s does that to itself'],
];
