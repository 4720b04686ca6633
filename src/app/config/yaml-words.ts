import type { YAMLParseError, YAMLWarning } from 'yaml';

/** Plain words for errors whose own message speaks of YAML's grammar. */
const WORDS: Partial<Record<YAMLParseError['code'], string>> = {
  MULTILINE_IMPLICIT_KEY:
    'a key without a colon stands here, "key: value" is wanted (with a blank behind the colon)',
  BLOCK_AS_IMPLICIT_KEY:
    'this value holds a colon, or the line below it is indented too far; quotes around the value, ' +
    'or the indentation of the keys beside it, are wanted',
  TAB_AS_INDENT: 'a tab indents this line, blanks are wanted',
  BLOCK_IN_FLOW:
    'a comma is missing before this within { } or [ ], one between all entries is wanted',
  BAD_INDENT: 'this line is indented like none of the keys above, one of their columns is wanted',
};

/** The parser's message for a missing closing bracket, which it reports as wrong indentation. */
const UNCLOSED = /^Flow .* end with a (.)/;

/** An error of the parser in words for the author of the file, without the place. */
export function parserWords({ code, message }: YAMLParseError | YAMLWarning): string {
  const [, closing] = UNCLOSED.exec(message) ?? [];
  if (closing !== undefined) return `what was opened before is not closed, a ${closing} is wanted`;
  return WORDS[code] ?? message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
}
