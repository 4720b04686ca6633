import { z } from 'zod';
import { type ZbConfig, zbConfigSchema } from '../../venues/zb/client/config.ts';
import { followSchema } from '../config/follow.ts';
import { readPart } from '../config/problems.ts';
import { readYamlFile } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { KEY_VARIABLES, type Keys } from './keys.ts';

/** Where a person wants to go: a file, addresses, or nothing for the exchange on this machine. */
export interface ConnectionChoice {
  /** A deployment, of which the part `venue` is used. */
  readonly venueConfig?: string;
  readonly dataUrl?: string;
  readonly tradeUrl?: string;
  readonly pushUrl?: string;
  /** A file with the keys, in place of the environment. */
  readonly keyFile?: string;
}

/** What a command needs of a venue. */
export interface ConnectionNeeds {
  /** Signed requests, and so keys. */
  readonly keys?: boolean;
  /** The stream of pushes. */
  readonly pushes?: boolean;
}

/** Where a venue is, the names of its keys' variables, and what else its file says. */
export interface Connection {
  readonly dataUrl: string;
  readonly tradeUrl: string;
  readonly pushUrl: string;
  readonly variables: Keys;
  readonly settings: Partial<ZbConfig>;
}

/** Where `tradewind exchange` serves when it is told nothing else. */
const LOOPBACK = {
  dataUrl: 'http://127.0.0.1:8710',
  tradeUrl: 'http://127.0.0.1:8710',
  pushUrl: 'ws://127.0.0.1:8710/websocket',
} as const;

const ADDRESSES = {
  dataUrl: '--data-url',
  tradeUrl: '--trade-url',
  pushUrl: '--push-url',
} as const;
type AddressName = keyof typeof ADDRESSES;

/**
 * The addresses that were chosen.
 *
 * Nothing is guessed: who names one address names all that the command needs, for a signed request
 * at the wrong place would show it an access key, and a withdrawal its password.
 *
 * @throws {AppError} `usage` when the choice is contradictory or incomplete; `configuration`, with
 * file, line and column, when the file does not describe a venue.
 */
export function connectionOf(choice: ConnectionChoice, needs: ConnectionNeeds): Connection {
  const names = Object.keys(ADDRESSES) as AddressName[];
  const given = names.filter((name) => choice[name] !== undefined);
  if (choice.venueConfig !== undefined) {
    if (given.length === 0) return connectionOfFile(choice.venueConfig, needs);
    const flag = ADDRESSES[given[0]!];
    throw new AppError(
      'usage',
      `Cannot connect: both --venue-config and ${flag} are given, one of them is wanted`,
    );
  }
  const needed: AddressName[] = ['dataUrl'];
  if (needs.keys === true) needed.push('tradeUrl');
  if (needs.pushes === true) needed.push('pushUrl');
  const missing = needed.filter((name) => choice[name] === undefined);
  if (given.length > 0 && missing.length > 0) {
    const has = given.map((name) => ADDRESSES[name]).join(' and ');
    const lacks = missing.map((name) => ADDRESSES[name]).join(' and ');
    throw new AppError('usage', `Cannot connect: only ${has} is given, ${lacks} is wanted too`);
  }
  const { dataUrl, tradeUrl, pushUrl } = { ...LOOPBACK, ...definedOf(choice) };
  return { dataUrl, tradeUrl, pushUrl, variables: KEY_VARIABLES, settings: {} };
}

/** The address flags that lead to the same venue, to be put behind a command that is suggested. */
export function connectionFlags(choice: ConnectionChoice): string[] {
  const { venueConfig, keyFile } = choice;
  const addresses = Object.entries(ADDRESSES).flatMap(([name, flag]) => {
    const url = choice[name as AddressName];
    return url === undefined ? [] : [flag, url];
  });
  return [
    ...(venueConfig === undefined ? [] : ['--venue-config', venueConfig]),
    ...addresses,
    ...(keyFile === undefined ? [] : ['--key-file', keyFile]),
  ];
}

function definedOf(choice: ConnectionChoice): Partial<Record<AddressName, string>> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

/** The part `venue` of a deployment; what else the file says is not looked at. */
function connectionOfFile(file: string, needs: ConnectionNeeds): Connection {
  const yaml = readYamlFile(file);
  const value = (yaml.value as { venue?: { kind?: unknown; follow?: unknown } } | null)?.venue;
  if (value?.kind === 'simulated') {
    // The venue whose prices it follows can be asked for those by anybody.
    if (value.follow !== undefined && needs.keys !== true) {
      const { dataUrl, pushUrl } = readPart(followSchema, {
        ...{ yaml, at: ['venue', 'follow'], value: value.follow },
      });
      return { dataUrl, tradeUrl: dataUrl, pushUrl, variables: KEY_VARIABLES, settings: {} };
    }
    throw new AppError(
      'configuration',
      `${yaml.locate(['venue', 'kind'])}: Cannot connect: this venue is simulated and lives inside ` +
        'its run alone, a venue of kind zb is wanted',
    );
  }
  const { accessKey, secretKey, ...settings } = readPart(z.object({ venue: zbConfigSchema }), {
    yaml,
    at: [],
    value: { venue: value },
  }).venue;
  const { dataUrl, tradeUrl, pushUrl } = settings;
  const variables = { accessKey: accessKey.env, secretKey: secretKey.env };
  return { dataUrl, tradeUrl, pushUrl, variables, settings };
}
