import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProgressLine } from '../../src/cli/progress-line.ts';

/** A stream that keeps what is written, and a time that a test sets. */
function progress(
  stream: { isTTY?: boolean; columns?: number },
  first?: { drawnMs: number; pipedMs: number },
) {
  vi.stubEnv('TERM', 'xterm');
  onTestFinished(() => void vi.unstubAllEnvs());
  const written: string[] = [];
  const time = { ms: 0 };
  const out = { ...stream, write: (text: string) => written.push(text) };
  const line = new ProgressLine(out, () => time.ms, first);
  const showAt = (ms: number, text: string): void => {
    time.ms = ms;
    line.show(() => text);
  };
  return { line, written, showAt };
}

describe('ProgressLine', () => {
  it('redraws one line on a terminal, cut to its width, and takes it away', () => {
    const { line, written, showAt } = progress({ isTTY: true, columns: 4 });
    showAt(0, 'first');
    showAt(50, 'too soon');
    showAt(200, 'new');
    line.print('stays');
    showAt(400, 'last');
    line.close();
    line.close();
    const clear = '\r\u001b[2K';
    expect(written).toEqual([
      `${clear}fir…`,
      `${clear}new`,
      `${clear}stays\n`,
      `${clear}last`,
      clear,
    ]);
  });

  it('shows its line on a terminal that tells no width', () => {
    const { written, showAt } = progress({ isTTY: true, columns: 0 });
    showAt(0, 'first');
    expect(written).toEqual(['\r\u001b[2Kfirst']);
  });

  it('says a line every ten seconds in a pipe, and nothing of what is over soon', () => {
    const { line, written, showAt } = progress({});
    for (const second of [0, 4, 9, 10, 15, 20]) showAt(second * 1_000, `at ${second}`);
    line.close();
    expect(written).toEqual(['at 10\n', 'at 20\n']);
  });

  it('waits for as long as it is told with its first line', () => {
    const first = { drawnMs: 100, pipedMs: 2_000 };
    const drawn = progress({ isTTY: true }, first);
    for (const ms of [0, 99, 100, 150, 200]) drawn.showAt(ms, `at ${ms}`);
    expect(drawn.written.map((text) => text.slice(5))).toEqual(['at 100', 'at 200']);
    const piped = progress({}, first);
    for (const second of [0, 1, 2, 11, 12]) piped.showAt(second * 1_000, `at ${second}`);
    expect(piped.written).toEqual(['at 2\n', 'at 12\n']);
  });
});
