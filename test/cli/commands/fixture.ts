import { Command, CommanderError } from 'commander';
import { exitCodeOf } from '../../../src/app/errors.ts';
import { EXIT_CODES } from '../../../src/app/index.ts';
import { defineAccount } from '../../../src/cli/commands/account.ts';
import { defineAlerts } from '../../../src/cli/commands/alerts.ts';
import { defineCompare } from '../../../src/cli/commands/compare.ts';
import { defineData } from '../../../src/cli/commands/data.ts';
import { defineJournal } from '../../../src/cli/commands/journal.ts';
import { defineMarket } from '../../../src/cli/commands/market.ts';
import { defineOrders } from '../../../src/cli/commands/orders.ts';
import { definePositions } from '../../../src/cli/commands/positions.ts';
import { defineReplay } from '../../../src/cli/commands/replay.ts';
import { defineWithdraw } from '../../../src/cli/commands/withdraw.ts';
import type { Prompts } from '../../../src/cli/prompts.ts';
import { plain } from '../../../src/cli/style.ts';
import { messageOf } from '../../../src/kernel/index.ts';
import { type FakeVenue, fakeVenue } from '../../app/terminal/fixture.ts';

/** Those that stand on a context. */
const COMMANDS = {
  alerts: defineAlerts,
  market: defineMarket,
  account: defineAccount,
  orders: defineOrders,
  positions: definePositions,
  withdraw: defineWithdraw,
  journal: defineJournal,
  replay: defineReplay,
  compare: defineCompare,
  data: defineData,
};

/** What a command line came to. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  /** The error's message, and what commander had to say. */
  readonly stderr: string;
  /** The one JSON document of standard output. */
  readonly json: () => Record<string, unknown>;
}

export interface LineOptions {
  readonly venue?: FakeVenue;
  readonly environment?: Readonly<Record<string, string>>;
  /** Hears at once what is written to standard error. Default: nobody does. */
  readonly aside?: (text: string) => void;
  /** Default: nobody is there. */
  readonly prompts?: Prompts;
}

/** Runs a command line, written as in a shell, on a fake venue. */
export async function line(text: string, options: LineOptions = {}): Promise<Outcome> {
  const { venue = fakeVenue(), environment = {}, prompts, aside } = options;
  let stdout = '';
  let stderr = '';
  let code = 0;
  const root = new Command('tradewind').exitOverride().configureOutput({
    writeOut: (part) => {
      stdout += part;
    },
    writeErr: (part) => {
      stderr += part;
    },
  });
  const context = {
    connect: async () => venue,
    write: (part: string) => {
      stdout += part;
    },
    taken: async () => true,
    writeAside: (part: string) => {
      aside?.(part);
      stderr += part;
    },
    paint: plain,
    environment,
    prompts: () => prompts,
    exitWith: (exit: number) => {
      code = exit;
    },
  };
  for (const [name, define] of Object.entries(COMMANDS)) define(root.command(name), context);
  try {
    await root.parseAsync(text.split(' ').filter(Boolean), { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) code = EXIT_CODES[thrown.exitCode ? 'usage' : 'success'];
    else {
      code = exitCodeOf(thrown);
      stderr += messageOf(thrown);
    }
  }
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** A person who answers what is put down beforehand, and what they were shown. */
export function person(answers: readonly (string | undefined)[]): Prompts & { shown: string } {
  const left = [...answers];
  const next = (question: string): Promise<string | undefined> => {
    someone.shown += question;
    return Promise.resolve(left.shift());
  };
  const someone = {
    shown: '',
    ask: next,
    askSecret: next,
    say: (text: string) => {
      someone.shown += text;
    },
  };
  return someone;
}
