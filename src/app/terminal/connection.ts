import { z } from 'zod';
import { messageOf } from '../../kernel/index.ts';
import { checkedAddress } from '../../venues/zb/client/addresses.ts';
import { type ZbConfig, zbConfigSchema } from '../../venues/zb/client/config.ts';
import { followSchema } from '../config/follow.ts';
import { overridden, settingsWithin } from '../config/overrides.ts';
import { readPart } from '../config/problems.ts';
import { readYamlFile } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { KEY_VARIABLES, type Keys } from './keys.ts';

/** Where a person wants to go: a file, addresses, or nothing for the exchange on this machine. */
export interface ConnectionChoice {
  /** A deployment, of which the part `venue` is used. */
  readonly venueConfig?: string;
  /** Settings of the venue in place of that file's, each as `path=value`. Default: none. */
  readonly set?: readonly string[];
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
 * Nothing is guessed: if one address is named, all that the command needs must be. A signed request
 * to the wrong place would show it an access key, and a withdrawal its password.
 *
 * @throws {AppError} `usage` when the choice is contradictory or incomplete; `configuration`, with
 * file, line and column, when the file does not describe a venue.
 */
export function connectionOf(choice: ConnectionChoice, needs: ConnectionNeeds): Connection {
  const names = Object.keys(ADDRESSES) as AddressName[];
  const given = names.filter((name) => choice[name] !== undefined);
  if (choice.venueConfig !== undefined) {
    if (given.length === 0) return connectionOfFile(choice.venueConfig, { ...choice, ...needs });
    const flag = ADDRESSES[given[0]!];
    throw new AppError(
      'usage',
      `Cannot connect: both --venue-config and ${flag} are given, one of them is wanted`,
    );
  }
  if (choice.set !== undefined) {
    throw new AppError('usage', 'Cannot set anything: the file is wanted too (--venue-config)');
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
  for (const name of given) requireAddress(name, choice[name]!);
  const { dataUrl, tradeUrl, pushUrl } = { ...LOOPBACK, ...definedOf(choice) };
  return { dataUrl, tradeUrl, pushUrl, variables: KEY_VARIABLES, settings: {} };
}

/** Checks an address as the client does its setting, but names the flag. */
function requireAddress(name: AddressName, url: string): void {
  try {
    checkedAddress(ADDRESSES[name], { url, protocol: name === 'pushUrl' ? 'ws' : 'http' });
  } catch (thrown) {
    throw new AppError('usage', messageOf(thrown), { cause: thrown });
  }
}

/** The flags that lead to the same venue, to be appended to a suggested command. */
export function connectionFlags(choice: ConnectionChoice): string[] {
  const { venueConfig, set = [], keyFile } = choice;
  const addresses = Object.entries(ADDRESSES).flatMap(([name, flag]) => {
    const url = choice[name as AddressName];
    return url === undefined ? [] : [flag, url];
  });
  return [
    ...(venueConfig === undefined ? [] : ['--venue-config', venueConfig]),
    ...set.flatMap((setting) => ['--set', setting]),
    ...addresses,
    ...(keyFile === undefined ? [] : ['--key-file', keyFile]),
  ];
}

function definedOf(choice: ConnectionChoice): Partial<Record<AddressName, string>> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

/** The part `venue` of a deployment; what else the file says is not looked at. */
function connectionOfFile(
  file: string,
  { set = [], ...needs }: Pick<ConnectionChoice, 'set'> & ConnectionNeeds,
): Connection {
  const own = settingsWithin('venue', set);
  const stranger = set.find((setting) => !own.includes(setting));
  if (stranger !== undefined) {
    const [path] = stranger.split('=', 1);
    const wanted = 'one of the venue is wanted, such as venue.tradeUrl=https://…';
    throw new AppError('usage', `Cannot set "${path}" here: ${wanted}`);
  }
  const yaml = overridden(readYamlFile(file), set);
  const value = (yaml.value as { venue?: { kind?: unknown; follow?: unknown } } | null)?.venue;
  if (value?.kind === 'simulated') {
    // Market data of the venue that it follows may be read by anybody.
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
