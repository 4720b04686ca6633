import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** A person who can be asked. Both answers are undefined when the person broke off. */
export interface Prompts {
  /** Asks for a line, which is shown as it is typed. */
  ask(question: string): Promise<string | undefined>;
  /** Asks for a line that is not shown while it is typed, and not kept anywhere. */
  askSecret(question: string): Promise<string | undefined>;
  /** Tells the person something. */
  say(text: string): void;
}

/** Prompts for the person at a terminal; undefined unless both streams are terminals. */
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

/** An output that swallows what is typed. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
