import { type BacktestDeployment, EXIT_CODES, printable, rooms } from '../app/index.ts';
import { uncaught } from './stop-requests.ts';

const { uncaughtOf } = await rooms.backtest();

/**
 * Errors of a strategy's own timers and promises, which no stream carries. The first one ends the
 * replay in order, and is reported after the results so far.
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

  /** Runs work. An uncaught error does not end the process meanwhile, but is kept. */
  async heardIn<T>(work: () => Promise<T>): Promise<T> {
    const hearing = uncaught.subscribe((thrown) => {
      this.#first ??= uncaughtOf(thrown, this.#deployment);
    });
    try {
      const result = await work();
      // A run on virtual time may have given Node's own timers no turn yet.
      await new Promise((resolve) => setTimeout(resolve, 1));
      return result;
    } catch (thrown) {
      this.tell();
      throw thrown;
    } finally {
      hearing.unsubscribe();
    }
  }

  /** Reports the first error on standard error, if any, and sets a defect's exit code. */
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
