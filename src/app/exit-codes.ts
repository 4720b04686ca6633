/** Exit codes of the commands, and what each says. Stable: scripts may rely on them. */
const EXITS = {
  success: [0, 'the command did what it was told'],
  defect: [
    1,
    'an unexpected error; a run was stopped in order where it could be. Or standard output did not ' +
      'take the whole result, as on a full disk',
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
      'market: a new start reads them',
  ],
  strategy: [5, 'the last strategy threw or ended'],
  unverified: [
    6,
    'the run stopped, or orders were cancelled by hand, but it could not be verified that they are gone',
  ],
  journal: [7, 'the journal cannot be opened, read or written'],
  recording: [8, 'a recording or a dataset cannot be read, or a strict check found a fault'],
  unknown: [9, 'what was sent may or may not have taken effect: look it up, do not repeat it'],
  refused: [
    10,
    'the exchange, or a check ahead of it, refused the request: nothing was done, or of a batch only the part that is named',
  ],
  declined: [11, 'a person said no, or there was none to ask: nothing was done'],
  different: [12, 'a replay or a check differs from what it was compared with'],
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
    'a backtest, or another command that can stop anywhere, was ended by SIGHUP (its terminal was ' +
      'closed), Ctrl-C or SIGTERM; a command that has sent an order or money ends with 9',
  ],
  ['137', 'killed by signal 9: a run whose strategy hung for 90 s kills itself'],
];
