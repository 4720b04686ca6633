import { VirtualClock } from '../../src/kernel/index.ts';

/** A clock whose date may be set forth, which what has elapsed does not follow. */
export class SetClock extends VirtualClock {
  aheadMs = 0;
  readonly elapsedMs = () => super.now();

  override now(): number {
    return super.now() + this.aheadMs;
  }
}
