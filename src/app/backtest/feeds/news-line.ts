const NEVER = Number.POSITIVE_INFINITY;

/** News on its way to the strategies, delivered in the order in which it was sent. */
export class NewsLine<T extends { readonly receivedTime: number }> {
  #heardMs = NEVER;
  #next: T | undefined;
  /** The items behind the next one, where an item takes longer than the time between two. */
  readonly #waiting: T[] = [];

  /** When the next item is heard; infinite while none is under way. */
  get heardMs(): number {
    return this.#heardMs;
  }

  send(news: T): void {
    if (this.#heardMs < NEVER) this.#waiting.push(news);
    else this.#put(news);
  }

  /** Removes and returns the next item: it is heard now. */
  take(): T {
    const news = this.#next!;
    this.#heardMs = NEVER;
    if (this.#waiting.length > 0) this.#put(this.#waiting.shift()!);
    return news;
  }

  #put(news: T): void {
    this.#heardMs = news.receivedTime;
    this.#next = news;
  }
}
