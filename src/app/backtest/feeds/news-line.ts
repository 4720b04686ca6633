const NEVER = Number.POSITIVE_INFINITY;

/** News that are under way to the strategies, first come first heard. */
export class NewsLine<T extends { readonly receivedTime: number }> {
  #heardMs = NEVER;
  #next: T | undefined;
  /** Those behind it, where it takes longer than the next ones last. */
  readonly #waiting: T[] = [];

  /** When the next one is heard; infinite while none is under way. */
  get heardMs(): number {
    return this.#heardMs;
  }

  send(news: T): void {
    if (this.#heardMs < NEVER) this.#waiting.push(news);
    else this.#put(news);
  }

  /** The next one, which is heard. */
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
