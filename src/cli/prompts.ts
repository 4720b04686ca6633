import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** A person who can be asked. Both answers are undefined when the person broke off. */
export interface Prompts {
  /** A line as it is typed. */
  ask(question: string): Promise<string | undefined>;
  /** A line that is not shown while it is typed, and kept nowhere. */
  askSecret(question: string): Promise<string | undefined>;
  /** Tells the person something. */
  say(text: string): void;
}

/** A person at that terminal; undefined where it is none. */
export function openPrompts(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Prompts | undefined {
  if (!input.isTTY || !output.isTTY) return undefined;
  return {
    ask: (question) => lineOf(question, { input, echo: output }),
    askSecret: async (question) => {
      output.write(question);
      const line = await lineOf('', { input, echo: nowhere() });
      output.write('\n');
      return line;
    },
    say: (text) => void output.write(text),
  };
}

/** Reads one line; what is typed is drawn on `echo`. Ctrl-C and Ctrl-D break off. */
function lineOf(
  question: string,
  { input, echo }: { readonly input: NodeJS.ReadStream; readonly echo: NodeJS.WritableStream },
): Promise<string | undefined> {
  const reader = createInterface({ input, output: echo, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    reader.on('line', (line) => {
      resolve(line);
      reader.close();
    });
    reader.on('SIGINT', () => reader.close());
    reader.on('close', () => resolve(undefined));
    reader.setPrompt(question);
    reader.prompt();
  });
}

/** Where what is typed must not be seen. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
