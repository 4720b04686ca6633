import { expect, it } from 'vitest';
import { sourceOfHost } from '../../../src/app/history/source-name.ts';

it.each([
  ['api.example.com', 'api.example.com'],
  ['API.Example.com:8443', 'api.example.com-8443'],
  ['127.0.0.1:8710', '127.0.0.1-8710'],
  ['[::1]:8710', '1-8710'],
])('sourceOfHost names %s so that it may stand in a name', (host, name) => {
  expect(sourceOfHost(host)).toBe(name);
  expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*$/);
});
