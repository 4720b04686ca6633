/**
 * What stands in an environment variable beside its value, in words; undefined where nothing does.
 * Files written under Windows leave the end of a line, and `docker --env-file` keeps quotes: the
 * exchange would only say that the key is wrong.
 */
export function strayIn(value: string): string | undefined {
  if (/^[\r\n]|[\r\n]$/.test(value)) return 'a line break at an end';
  if (value !== value.trim()) return 'a blank at an end';
  return /^(["']).*\1$/s.test(value) ? 'quotes around it' : undefined;
}
