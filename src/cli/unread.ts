/** How long nothing may be read of what was written last, milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 1_000;

/** Calls `then` where nothing more of a stream is read for a minute, unless it is called off before. */
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
  // What waits holds the process up by itself.
  timer.unref();
  return () => clearInterval(timer);
}
