import { CommanderError } from 'commander';
import { EXIT_CODES } from '../app/index.ts';
import { processContext } from './commands/context.ts';
import { program, withoutLostHelp } from './program.ts';
import { forbidExit, quit } from './quit.ts';
import { suggestion } from './suggestion.ts';

// A write error on a log that nobody reads must not end a run that has orders to watch.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// A run listens for uncaught errors itself and stops in order. Any other command reports and ends.
process.on('uncaughtException', async (thrown) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  const { reportUncaught } = await import('./failure.ts');
  quit(reportUncaught(thrown));
});

forbidExit();
try {
  const words = withoutLostHelp(process.argv.slice(2));
  await (await program(words, processContext())).parseAsync(words, { from: 'user' });
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = EXIT_CODES[thrown.exitCode === 0 ? 'success' : 'usage'];
    process.stderr.write(await suggestion(thrown.message));
  } else {
    const { reportFailure } = await import('./failure.ts');
    process.exitCode = reportFailure(thrown);
  }
}
// What a strategy left behind, such as a timer of its own, does not keep the process alive.
process.stdout.write('', () => quit());
