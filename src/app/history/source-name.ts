/**
 * The name of a source for the host that its data comes from, as in a dataset's name:
 * `api.example.com`, or `127.0.0.1-8710` with a port.
 */
export function sourceOfHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}
