import { type Command, Option } from 'commander';
import {
  type ConnectedVenue,
  type ConnectionChoice,
  type ConnectionNeeds,
  type Environment,
  printable,
  rooms,
} from '../../app/index.ts';
import { settingsOption } from '../arguments.ts';
import { findingsTaken, writeFindings } from '../findings-output.ts';
import { inParts } from '../in-parts.ts';
import { jsonPieces } from '../json-pieces.ts';
import { openPrompts, type Prompts } from '../prompts.ts';
import { type Paint, paintFor } from '../style.ts';
import { printed } from '../wrap.ts';

/** What manual commands need of the process. Tests give their own. */
export interface CommandContext {
  readonly connect: (choice: ConnectionChoice, needs: ConnectionNeeds) => Promise<ConnectedVenue>;
  /** Standard output. */
  readonly write: (text: string) => void;
  /** Waits until standard output has taken all that was written; false: it takes no more. */
  readonly taken: () => Promise<boolean>;
  /** Standard error. */
  readonly writeAside: (text: string) => void;
  readonly paint: Paint;
  readonly environment: Environment;
  /** A person at a terminal; undefined where there is none. */
  readonly prompts: () => Prompts | undefined;
  /** Sets the exit code of a command that ends without an error. */
  readonly exitWith: (code: number) => void;
}

/** The context of a real command. */
export function processContext(): CommandContext {
  const { stdout, stderr, env } = process;
  const warn = (text: string): void => void stderr.write(`tradewind: ${printable(text)}\n`);
  return {
    connect: async (choice, needs) => {
      const { connectVenue } = await rooms.terminal();
      const { runSignals } = await import('../stop-requests.ts');
      return connectVenue(choice, { needs, environment: env, warn, interruption: runSignals });
    },
    write: writeFindings,
    taken: findingsTaken,
    writeAside: (text) => void stderr.write(text),
    paint: paintFor(stdout),
    environment: env,
    prompts: () => openPrompts(process.stdin, process.stderr),
    exitWith: (code) => {
      process.exitCode = code;
    },
  };
}

/** The flags that every command by hand has. */
export interface CommonFlags extends ConnectionChoice {
  readonly json?: boolean;
}

/** What a command found: one JSON document for programs, lines for people. */
export interface Findings {
  readonly json: unknown;
  readonly lines: Iterable<string>;
}

/** What a command needs of its venue, and example calls. */
interface VenueUse {
  readonly needs: ConnectionNeeds;
  readonly examples: readonly string[];
}

/** The texts for a command's help. */
export interface CommandText extends VenueUse {
  readonly name: string;
  readonly description: string;
}

/** A command on a venue, with the flags that lead there. */
export function venueCommand(group: Command, text: CommandText): Command {
  return toVenue(group.command(text.name).description(text.description), text);
}

/** Adds the flags that lead to a venue. */
export function toVenue(command: Command, { needs, examples }: VenueUse): Command {
  command.option('--json', 'one JSON document, for programs');
  const heading = 'Where to connect (default: `tradewind exchange` on this machine):';
  const option = (flags: string, what: string): void => {
    command.addOption(new Option(flags, what).helpGroup(heading));
  };
  option('--venue-config <file>', 'the venue of this deployment, such as my-live.yaml');
  command.addOption(settingsOption('venue.accessKey.env=OTHER_KEY').helpGroup(heading));
  option('--data-url <address>', 'base address of market data');
  if (needs.keys === true) option('--trade-url <address>', 'base address of signed requests');
  if (needs.pushes === true) option('--push-url <address>', 'address of the WebSocket');
  if (needs.keys === true) {
    option('--key-file <file>', 'keys in a file of mode 600, in place of the environment');
  }
  command.configureOutput({
    outputError: (error, write) => write(`${error}${deploymentHint(command)}`),
  });
  return command.addHelpText('after', examplesText(examples));
}

/** Names the flag for a deployment that is given as an argument, as `run` takes it. */
function deploymentHint({ args }: Command): string {
  const file = args.find((word) => /\.ya?ml$/.test(word));
  return file === undefined ? '' : `(Did you mean --venue-config ${file}?)\n`;
}

/** Examples as the help shows them. */
export function examplesText(examples: readonly string[]): string {
  return ['', 'Examples:', ...examples.map((example) => `  tradewind ${example}`)].join('\n');
}

/** What a command works with. */
export interface Work {
  readonly venue: ConnectedVenue;
  readonly paint: Paint;
}

/** Connects, does the work, prints what it found, and lets go of the venue whatever happens. */
export async function answer(
  context: CommandContext,
  { flags, needs = {} }: { readonly flags: CommonFlags; readonly needs?: ConnectionNeeds },
  work: (work: Work) => Promise<Findings>,
): Promise<void> {
  const venue = await context.connect(flags, needs);
  try {
    print(context, flags, await work({ venue, paint: context.paint }));
  } catch (thrown) {
    // Not awaited, to report an interruption at once: requests in flight keep connections for
    // seconds.
    venue.close().catch(() => {});
    throw thrown;
  }
  await venue.close();
}

/** Lines per write: all of them may not fit in one string. */
const LINES = 10_000;

/** Prints findings, for a program or a person as the flags say. */
export function print({ write }: CommandContext, flags: CommonFlags, findings: Findings): void {
  for (const text of textsOf(findings, flags)) write(text);
}

/** Like `print`, but waits for each piece to be taken: all of them may not fit in memory. */
export async function printInTurn(
  { write, taken }: CommandContext,
  flags: CommonFlags,
  findings: Findings,
): Promise<void> {
  for (const text of textsOf(findings, flags)) {
    write(text);
    if (!(await taken())) return;
  }
}

function textsOf({ json, lines }: Findings, flags: CommonFlags): Generator<string> {
  return flags.json === true ? jsonPieces(json) : linesOf(lines);
}

function* linesOf(lines: Iterable<string>): Generator<string> {
  for (const some of inParts(lines, LINES)) yield printed(some);
}
