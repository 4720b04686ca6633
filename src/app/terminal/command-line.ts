const PLAIN = /^[\w./:@%+,=-]+$/;

/** A command of Tradewind as it may be pasted into a shell. */
export function commandLine(words: readonly string[]): string {
  return shellLine(['npx', 'tradewind', ...words]);
}

/** Any command as it may be pasted into a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
