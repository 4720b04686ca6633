import type { PushConnection } from '../../venues/zb/server/index.ts';
import type { FaultBoard } from './fault-board.ts';

/** A connection to a client that is subject to the faults of pushes. */
export class FaultySocket implements PushConnection {
  readonly #peer: PushConnection;
  readonly #board: FaultBoard;
  #answering = false;

  constructor(peer: PushConnection, board: FaultBoard) {
    this.#peer = peer;
    this.#board = board;
  }

  get bufferedBytes(): number {
    return this.#peer.bufferedBytes;
  }

  /** What is sent while `work` runs answers the client; all else is news. */
  answer(work: () => void): void {
    this.#answering = true;
    try {
      work();
    } finally {
      this.#answering = false;
    }
  }

  send(text: string): void {
    if (this.#isSilent()) return;
    const fault = this.#answering
      ? undefined
      : this.#board.hitPush('pushesFrozen', 'pushesLost', 'pushesDuplicated');
    if (fault === undefined || fault.kind === 'pushesDuplicated') this.#peer.send(text);
    if (fault?.kind === 'pushesDuplicated') this.#peer.send(text);
  }

  pong(data: Uint8Array): void {
    if (!this.#isSilent()) this.#peer.pong(data);
  }

  close(): void {
    this.#peer.close();
  }

  #isSilent(): boolean {
    return this.#board.hitPush('socketsSilent') !== undefined;
  }
}
