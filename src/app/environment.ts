/**
 * Names what surrounds the value of an environment variable; undefined if nothing does. Files
 * written under Windows leave a line end, and `docker --env-file` keeps quotes, for which the
 * exchange would only call the key wrong.
 */
export function strayIn(value: string): string | undefined {
  if (/^[\r\n]|[\r\n]$/.test(value)) return 'a line break at an end';
  if (value !== value.trim()) return 'a blank at an end';
  return /^(["']).*\1$/s.test(value) ? 'quotes around it' : undefined;
}
