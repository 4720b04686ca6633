import { CommanderError } from 'commander';
import { EXIT_CODES } from '../app/index.ts';
import { processContext } from './commands/context.ts';
import { program } from './program.ts';

// A log that nobody can read any more is no reason to lose sight of orders.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  const words = process.argv.slice(2);
  await (await program(words, processContext())).parseAsync(words, { from: 'user' });
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = EXIT_CODES[thrown.exitCode === 0 ? 'success' : 'usage'];
  } else {
    const { reportFailure } = await import('./failure.ts');
    process.exitCode = reportFailure(thrown);
  }
}
// What a strategy left behind, such as a timer of its own, does not keep the process alive.
process.stdout.write('', () => process.exit());
