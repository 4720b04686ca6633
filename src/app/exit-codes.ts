/** Exit codes of the commands. Stable: scripts and supervisors may rely on them. */
export const EXIT_CODES = {
  success: 0,
  defect: 1,
  usage: 2,
  configuration: 3,
  exchange: 4,
  strategy: 5,
  unverified: 6,
  journal: 7,
  recording: 8,
  unknown: 9,
  refused: 10,
  declined: 11,
  different: 12,
} as const;
export type ExitReason = keyof typeof EXIT_CODES;

/** What each exit code says. */
export const EXIT_MEANINGS: Readonly<Record<ExitReason, string>> = {
  success: 'the command did what it was told',
  defect:
    'an error that nobody foresaw; the run was stopped in order where it could be. Or standard output ' +
    'did not take all of what was found, as on a full disk',
  usage: 'the command line is wrong',
  configuration:
    'unknown key, bad value, missing file or environment variable, no such strategy; or the access ' +
    'key may not trade, may withdraw, or another process trades with it',
  exchange:
    'the exchange is down, refuses the key, or its port is in use; or it has changed the rules of a ' +
    'market, which a start reads',
  strategy: 'the last strategy threw or ended',
  unverified:
    'the run stopped, or orders were cancelled by hand, but they could not be shown to be gone',
  journal: 'the journal cannot be opened, read or written',
  recording: 'a recording or a dataset cannot be read, or a strict check found a fault',
  unknown: 'what was sent may or may not have taken effect: look it up, do not repeat it',
  refused:
    'the exchange, or a check ahead of it, refused what was asked: nothing was done, of a batch no more than is named',
  declined: 'a person said no, or there was none to ask: nothing was done',
  different: 'a replay or a check came out different from what it was held against',
};

/** The codes that a signal leaves, 128 and its number, and what they say. */
export const SIGNAL_MEANINGS: readonly (readonly [codes: string, meaning: string])[] = [
  [
    '130, 143',
    'ended by Ctrl-C or SIGTERM: a backtest, and other commands where they can stop anywhere; what ' +
      'has sent an order or money ends with 9',
  ],
  ['137', 'killed, by the signal 9: a run whose strategy hung for 90 s does that to itself'],
];
