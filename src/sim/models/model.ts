import type { MatchingEngine, Placement } from '../matching-engine.ts';

/** What a model works on: one market of the simulated exchange. */
export interface ModelledMarket {
  /** Its book and its orders, in whole units. */
  readonly engine: MatchingEngine;
  /** Pushes the changes that the model made to the engine. */
  readonly pushChanges: () => void;
}

/** Consecutive rows: from `at` to before `end`. */
export interface Run {
  at: number;
  end: number;
}

/**
 * Decides from recorded rows when orders of an account fill. Matching, money and the states of
 * orders stay with the simulated exchange: a model only decides what the orders meet, by putting
 * anonymous liquidity into the book and printing trades against it.
 *
 * A row costs next to nothing while no order of an account rests: the book is filled when an order
 * arrives (`arriving`), not at every row.
 */
export interface FillModel<Rows> {
  /** Its name in the configuration. */
  readonly name: string;
  /** When an order fills, and what is not modelled: whole sentences for the report. */
  readonly confession: readonly string[];
  /**
   * Row `at` happens at the exchange, with the following rows that belong to it: resting orders
   * meet them. The clock stands at their time; nobody has heard of them yet. The columns are valid
   * until the call returns. Returns the next row.
   */
  play(rows: Rows, at: number): number;
  /** An order is about to reach the book: puts the liquidity there that it would have met. */
  arriving(order: Placement): void;
}
