import { WireError } from '../wire/errors.ts';

/** The browser-style user agent that the exchange demands. Source: contract, Authentication 6. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Safari/537.36';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address in a setting, checked: encrypted or on this machine, and without parts that are not
 * sent.
 *
 * @throws {WireError} when it is no address, or would carry keys over an open line.
 */
export function checkedAddress(
  setting: string,
  { url, protocol }: { readonly url: string; readonly protocol: 'http' | 'ws' },
): URL {
  const wanted = `${protocol}s://`;
  const address = URL.parse(url);
  if (address === null) {
    throw new WireError(
      `Cannot use ${setting}: it is ${JSON.stringify(url)}, an address that begins with ${wanted} is wanted`,
    );
  }
  const isSealed = address.protocol === `${protocol}s:`;
  if (!isSealed && !(address.protocol === `${protocol}:` && isLocal(address))) {
    throw new WireError(
      `Cannot use ${setting}: it is ${address.protocol}//${address.host}, ${wanted} is wanted (${protocol}:// on loopback only)`,
    );
  }
  const excess = excessIn(address);
  if (excess !== undefined) throw new WireError(`Cannot use ${setting}: ${excess}`);
  return address;
}

/** What is wrong with an address that has parts that would silently not be sent, if it has any. */
export function excessIn({ protocol, username, password, hash, search }: URL): string | undefined {
  const isOfRequests = protocol.startsWith('http');
  if (isOfRequests && `${username}${password}` !== '') {
    return 'it is an address with a name or a password, which requests do not send, one without is wanted';
  }
  // Requests have queries of their own; a fragment is never sent, and a WebSocket rejects one.
  const tail = hash !== '' ? '#' : isOfRequests && search !== '' ? '?' : undefined;
  return tail && `it is an address with ${tail} and what follows, one without is wanted`;
}

/** Whether an address is on this machine, so that it may be unencrypted. */
export function isLocal({ hostname }: Pick<URL, 'hostname'>): boolean {
  return LOOPBACK.test(hostname);
}
