import { stopSignals } from './stop-requests.ts';

/**
 * Runs work that ends in order at a signal and reports it. The process then dies of that signal, so
 * that a shell's loop over commands ends too. A second signal kills it at once.
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const hearing = stopSignals.subscribe((name) => {
    if (stop.signal.aborted) hearing.unsubscribe();
    stop.abort(name);
    if (hearing.closed) process.kill(process.pid, name);
  });
  try {
    await work(stop.signal);
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
    const { reportFailure } = await import('./failure.ts');
    reportFailure(thrown);
  } finally {
    hearing.unsubscribe();
  }
  if (stop.signal.aborted) process.kill(process.pid, stop.signal.reason);
}
