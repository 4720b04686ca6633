const PLAIN = /^[\w./:@%+,=-]+$/;

/** A command as it may be pasted into a shell. */
export function commandLine(words: readonly string[]): string {
  return ['npx', 'tradewind', ...words].map(quoted).join(' ');
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
