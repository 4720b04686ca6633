import { stopSignals } from './stop-requests.ts';

/**
 * Does work that ends in order at a signal and says so. The process then ends of that signal, as a
 * shell expects that loops over commands; a second one ends it at once.
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
