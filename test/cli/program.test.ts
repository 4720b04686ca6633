import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { processContext } from '../../src/cli/commands/context.ts';
import { COMMANDS, program } from '../../src/cli/program.ts';
import { PAGES, textOf } from '../docs/pages.ts';

/** Every flag of a command and of those in it. */
function flagsOf({ options, commands }: Command): string[] {
  return [...options.map(({ long }) => long!), ...commands.flatMap(flagsOf)];
}

describe('program', () => {
  it.each(COMMANDS)('lists `$usage` as it is', async ({ usage, read }) => {
    const command = new Command(usage.split(' ')[0]);
    (await read())(command, processContext());
    expect(command.createHelp().subcommandTerm(command)).toBe(usage);
  });

  it.each(COMMANDS)('has flags of `$usage` that a page tells of', async ({ usage, read }) => {
    const command = new Command(usage.split(' ')[0]);
    (await read())(command, processContext());
    const told = new Set(PAGES.flatMap((page) => textOf(page).match(/--[a-z][a-z-]*/g) ?? []));
    expect(flagsOf(command).filter((flag) => !told.has(flag))).toEqual([]);
  });

  it.each([[['data', 'list']], [['help', 'data']], [['--help', 'data']]])(
    'reads the one command that %j asks for',
    async (words) => {
      const { commands } = await program(words, processContext());
      const read = commands.filter((command) => command.commands.length > 0);
      expect(read.map((command) => command.name())).toEqual(['data']);
    },
  );

  it('reads no command for a folder of its name', async () => {
    const words = ['compare', 'runs/one', '--json', 'data'];
    const { commands } = await program(words, processContext());
    expect(commands.filter((command) => command.commands.length > 0)).toEqual([]);
  });
});
