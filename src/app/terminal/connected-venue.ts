import { randomUUID } from 'node:crypto';
import { NEVER, type Observable } from 'rxjs';
import type { FullExchange } from '../../exchange/index.ts';
import { type Clock, type Logger, seededRandom, silentLogger } from '../../kernel/index.ts';
import { connectZb } from '../../venues/zb/client/index.ts';
import { clientOrderIds } from '../client-order-ids.ts';
import type { KeyPlaces } from '../key-advice.ts';
import { systemClock } from '../time/system-clock.ts';
import {
  type ConnectionChoice,
  type ConnectionNeeds,
  connectionFlags,
  connectionOf,
} from './connection.ts';
import { type Environment, keysFromEnvironment, keysFromFile } from './keys.ts';

/** A venue that a person's commands are carried out on. */
export interface ConnectedVenue {
  readonly exchange: FullExchange;
  /** Host and port, for messages. */
  readonly host: string;
  /** Where its keys come from, for messages; undefined: nothing is signed. */
  readonly keyPlaces?: KeyPlaces | undefined;
  /** What a command needs on its command line to reach the same venue. */
  readonly flags: readonly string[];
  readonly clock: Clock;
  /**
   * Emits the name of a signal that asks for an end. While it is subscribed to, signals do not end
   * the process: that is so while a request is under way, or a placed order is not yet reported.
   */
  readonly interruption: Observable<string>;
  /** A new client order id, unique within all commands and runs. */
  readonly nextClientOrderId: () => string;
  close(): Promise<void>;
}

/** The keys of commands that need none: these send nothing signed. */
const NO_KEYS = { accessKey: 'none', secretKey: 'none' };

/**
 * Connects to the venue that was chosen; nothing is sent yet.
 *
 * @throws {AppError} `usage` or `configuration` when the choice, the addresses or the keys are unfit.
 */
export function connectVenue(
  choice: ConnectionChoice,
  options: {
    readonly needs: ConnectionNeeds;
    readonly environment: Environment;
    /** Told what a person should know besides the answer, such as that parts cannot be read. */
    readonly warn?: (text: string) => void;
    /** Default: none is heard, and a signal ends the process whatever is on its way. */
    readonly interruption?: Observable<string>;
  },
): ConnectedVenue {
  const { needs, environment, warn = () => {}, interruption = NEVER } = options;
  const { variables, settings, ...addresses } = connectionOf(choice, needs);
  const keys =
    needs.keys !== true
      ? NO_KEYS
      : choice.keyFile !== undefined
        ? keysFromFile(choice.keyFile)
        : keysFromEnvironment(environment, variables);
  const { keyFile } = choice;
  const places = keyFile === undefined ? variables : { accessKey: keyFile, secretKey: keyFile };
  const random = seededRandom(randomUUID());
  const clock = systemClock;
  const logger: Logger = { ...silentLogger, warn: (_fields, message) => warn(message) };
  const exchange = connectZb({ ...settings, ...addresses, ...keys, clock, random, logger });
  return {
    exchange,
    host: new URL(needs.keys === true ? addresses.tradeUrl : addresses.dataUrl).host,
    keyPlaces: needs.keys === true ? places : undefined,
    flags: connectionFlags(choice),
    clock,
    interruption,
    nextClientOrderId: clientOrderIds(clock, random),
    close: () => exchange.close(),
  };
}
