import { type Logger, type LogLevel, silentLogger } from '../../src/kernel/index.ts';

const KINDS = ['depth', 'trade', 'order'] as const;
type Kind = (typeof KINDS)[number];

interface NoteOf<K extends Kind> {
  readonly kind: K;
  readonly market?: string;
  readonly id: number;
}

/** An event that a bus can carry, numbered so that orders can be compared. */
export type Note = { [K in Kind]: NoteOf<K> }[Kind];

export function note(id: number, options: { kind?: Kind; market?: string } = {}): Note {
  return { kind: 'depth', market: 'btc_usdt', ...options, id } as Note;
}

export function depthNote(id: number): NoteOf<'depth'> {
  return { kind: 'depth', market: 'btc_usdt', id };
}

/** A logger that keeps the sentences of some levels, by default the warnings. */
export function keptLines(...levels: readonly LogLevel[]) {
  const lines: string[] = [];
  const keep = (_fields: object, text: string) => void lines.push(text);
  const kept = (levels.length === 0 ? ['warn'] : levels).map((level) => [level, keep]);
  const logger: Logger = { ...silentLogger, ...Object.fromEntries(kept) };
  return { lines, logger };
}
