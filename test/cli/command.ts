import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { scratchFolder } from '../app/fixture.ts';

const BIN = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

/**
 * What a summary says of orders that all ended. Some may have been filled in the last moment, or
 * refused by the exchange.
 */
export const ALL_ENDED =
  /at stop +\d+ of \d+ open orders? cancelled,( \d+ filled,)?( \d+ never there,)? verified(\n|")/;

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The file of the command. Default: that of this tree. */
  readonly bin?: string;
  /** As under an older Node: by the launcher, which hands it over to a child. Default: false. */
  readonly launched?: boolean;
  /** Runs it below these, each the parent of the next, as npm does. Default: none. */
  readonly below?: readonly (keyof typeof STARTERS)[];
}

/** A command that makes the next words the first process of a container, which ends with it. */
export const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child'] as const;

/** Whether the machine lets this user have containers. */
export const HAS_CONTAINERS = spawnSync(CONTAINER[0], [...CONTAINER.slice(1), 'true']).status === 0;

/** Commands that run the next words and have something left to do after them. */
const STARTERS = {
  shell: ['sh', '-c', '"$0" "$@"; exit $?'],
  container: CONTAINER,
  /** Is in a folder that is gone. */
  nowhere: ['sh', '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"'],
  /** Says below itself that npm has started it. */
  npm: ['sh', '-c', 'npm_lifecycle_event=start "$0" "$@"; exit $?'],
  /** Runs what follows as cross-env does. */
  wrapper: [
    process.execPath,
    '--eval',
    `require('node:child_process').spawnSync(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })`,
    '--',
  ],
} as const;

/** Makes a Node say that it is an older one. */
const OLDER_NODE = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })",
)}`;

/** How a command ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  /** Without the progress of a backtest, which is written on a slow machine. */
  readonly stderr: string;
}

/** Standard error without the progress of a backtest. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^\d+ % .* left\n/gm, '');
}

/** A command at work. */
export interface RunningCommand {
  readonly process: ChildProcess;
  /** Both streams so far. */
  text(): string;
  /** Waits until the output matches; fails when the command ends without it. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ending>;
}

/** Starts the real command line in a process of its own, which ends with the test at the latest. */
export function start(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { ZB_ACCESS_KEY, ZB_SECRET_KEY, FORCE_COLOR, npm_lifecycle_event, ...inherited } =
    process.env;
  const pretence = options.launched ? ['--import', OLDER_NODE] : [];
  const { below = [], bin = BIN, cwd } = options;
  const command = [process.execPath, ...pretence, bin, ...args];
  const [file, ...rest] = [...below.flatMap((starter) => STARTERS[starter]), ...command];
  const child = spawn(file!, rest, {
    cwd,
    env: { ...inherited, TRADEWIND_LOCKS: scratchFolder(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    changed();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    changed();
  });
  const ended = new Promise<Ending>((resolve) => {
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout, stderr: withoutProgress(stderr) }),
    );
  });
  const text = () => stdout + stderr;
  const seen = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text());
        if (match === null) return;
        watchers.delete(look);
        resolve(match);
      };
      watchers.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without ${pattern}:\n${text()}`)));
    });
  return { process: child, text, seen, ended };
}

/** Runs the command line to its end. */
export function run(args: readonly string[], options: CommandOptions = {}): Promise<Ending> {
  return start(args, options).ended;
}
