/** How long a reader may read nothing of what waits, milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 1_000;

/** Calls `then` once nothing of a stream was read for a minute. Returns what calls it off. */
export function whenUnread(
  out: { /** What waits to be read. */ readonly writableLength: number },
  then: () => void,
): () => void {
  let least = out.writableLength;
  let stoodMs = 0;
  const timer = setInterval(() => {
    stoodMs = out.writableLength < least ? 0 : stoodMs + LOOK_MS;
    least = Math.min(least, out.writableLength);
    if (stoodMs < PATIENCE_MS) return;
    clearInterval(timer);
    then();
  }, LOOK_MS);
  // The waiting write keeps the process alive by itself.
  timer.unref();
  return () => clearInterval(timer);
}
