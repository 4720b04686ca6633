import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The parameters of a request, or the fields of a frame: names and unencoded values. */
export type Parameters = Readonly<Record<string, string>>;

/** The parameters of a signed operation, its name among them. */
export type SignedParameters = Parameters & { readonly method: string };

/**
 * The key that requests are signed with: the lower-case hexadecimal SHA-1 of the secret.
 *
 * It is a KeyObject, which does not show its bytes when printed, and saves HMAC the import of the
 * key at every call. Source: contract, Authentication 3.1.
 */
export function signingKeyOf(secretKey: string): KeyObject {
  return createSecretKey(createHash('sha1').update(secretKey, 'utf8').digest('hex'), 'ascii');
}

/** Lower-case hexadecimal HMAC-MD5 of a text. Source: contract, Authentication 3.3. */
export function signatureOf(key: KeyObject, text: string): string {
  return createHmac('md5', key).update(text, 'utf8').digest('hex');
}

/**
 * The text that a request's `sign` covers: `name=value` joined by `&`, sorted by name in ASCII
 * order, values unencoded, without `sign` and `reqTime`. Source: contract, Authentication 3.2.
 *
 * An empty `customerOrderId` is left out. Source: wire facts, Authentication and errors.
 */
export function signedText(parameters: Parameters): string {
  return textOf(parameters, isSigned);
}

/** The same text with an empty `customerOrderId` in it, as the contract says literally. */
export function literalSignedText(parameters: Parameters): string {
  return textOf(parameters, isOfText);
}

function textOf(
  parameters: Parameters,
  isIncluded: (name: string, value: string) => boolean,
): string {
  let text = '';
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name]!;
    if (!isIncluded(name, value)) continue;
    text += text === '' ? `${name}=${value}` : `&${name}=${value}`;
  }
  return text;
}

/** Whether a parameter is part of the text that a request's `sign` covers. */
export function isSigned(name: string, value: string): boolean {
  return isOfText(name) && (name !== 'customerOrderId' || value !== '');
}

function isOfText(name: string): boolean {
  return name !== 'sign' && name !== 'reqTime';
}

/**
 * The text that a frame's `sign` covers: the compact JSON object of all fields but `sign`, keys in
 * ASCII order, values as sent. Source: wire facts, WebSocket, private subscription.
 */
export function signedFrameText(fields: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(fields).filter((name) => name !== 'sign');
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(fields[name])}`)
    .join(',')}}`;
}
