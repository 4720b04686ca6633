import { VirtualClock } from '../../src/kernel/index.ts';

/** A clock whose date may be moved ahead without moving its elapsed time. */
export class SetClock extends VirtualClock {
  aheadMs = 0;
  readonly elapsedMs = () => super.now();

  override now(): number {
    return super.now() + this.aheadMs;
  }
}
