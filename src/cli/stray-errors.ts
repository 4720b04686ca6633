import { type BacktestDeployment, EXIT_CODES, printable, rooms } from '../app/index.ts';
import { uncaught } from './stop-requests.ts';

const { uncaughtOf } = await rooms.backtest();

/**
 * Errors of a strategy's own timers and promises, which no stream carries: the first of them ends
 * the replay in order, and is told behind what was done until then.
 */
export class StrayErrors {
  readonly #deployment: BacktestDeployment;
  #first: ReturnType<typeof uncaughtOf> | undefined;

  constructor(deployment: BacktestDeployment) {
    this.#deployment = deployment;
  }

  get hasCome(): boolean {
    return this.#first !== undefined;
  }

  /** Does work, to which no error that nobody caught puts an end by itself. */
  async heardIn<T>(work: () => Promise<T>): Promise<T> {
    const hearing = uncaught.subscribe((thrown) => {
      this.#first ??= uncaughtOf(thrown, this.#deployment);
    });
    try {
      const result = await work();
      // Virtual time may have left none of Node's own timers a turn.
      await new Promise((resolve) => setTimeout(resolve, 1));
      return result;
    } catch (thrown) {
      this.tell();
      throw thrown;
    } finally {
      hearing.unsubscribe();
    }
  }

  /** Tells standard error of the first, if any came, and has the process end as of a defect. */
  tell(): void {
    if (this.#first === undefined) return;
    const { reason, stack } = this.#first;
    const lines = [`tradewind: ${reason}`, ...(stack ? [stack] : [])];
    process.stderr.write(
      `${lines
        .flatMap((line) => line.split('\n'))
        .map(printable)
        .join('\n')}\n`,
    );
    process.exitCode = EXIT_CODES.defect;
  }
}
