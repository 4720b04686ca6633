import { inspect } from 'node:util';
import type { Clock, Logger } from '../../../kernel/index.ts';
import type { Blot } from '../../secrets.ts';
import type { ShownNames } from './shown-names.ts';

/** Most lines that are kept, so that a strategy that logs at every row does not fill the memory. */
const LINES_MAX = 100_000;
const ONE_LINE = { depth: 8, breakLength: Number.POSITIVE_INFINITY, sorted: true };

/** Keeps what strategies log, one line each: the replayed moment, the strategy, the message. */
export class StrategyLog implements Logger {
  readonly #clock: Clock;
  readonly #names: ShownNames;
  readonly #blot: Blot | undefined;
  readonly #lines: string[] = [];
  #left = 0;

  constructor(clock: Clock, { names, blot }: { names: ShownNames; blot: Blot | undefined }) {
    this.#clock = clock;
    this.#names = names;
    this.#blot = blot;
  }

  /** The lines so far, with a last one that counts those left out. */
  get lines(): readonly string[] {
    return this.#left === 0 ? this.#lines : [...this.#lines, `${this.#left} more lines left out`];
  }

  /** Debug messages are not kept. */
  debug(): void {}

  info(fields: object, message: string): void {
    this.#keep('', { fields, message });
  }

  warn(fields: object, message: string): void {
    this.#keep('warning: ', { fields, message });
  }

  error(fields: object, message: string): void {
    this.#keep('error: ', { fields, message });
  }

  isLevelEnabled(level: 'debug' | 'info' | 'warn' | 'error'): boolean {
    return level !== 'debug';
  }

  #keep(level: string, { fields, message }: { fields: object; message: string }): void {
    if (this.#lines.length === LINES_MAX) {
      this.#left++;
      return;
    }
    const { strategy, ...others } = fields as { readonly strategy?: string };
    const time = new Date(this.#clock.now()).toISOString();
    const who = strategy === undefined ? '' : `${this.#names.get(strategy) ?? strategy}: `;
    const more = Object.keys(others).length === 0 ? '' : ` ${inspect(others, ONE_LINE)}`;
    const line = `${time} ${who}${level}${message}${more}`;
    this.#lines.push(this.#blot?.(line) ?? line);
  }
}
