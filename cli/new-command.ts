import { Command, Option } from 'commander';
import { command as commandLine } from './command-name.ts';
import { parseDuration, parseHash, parseOutput } from './parse-options.ts';

/** A command with the options that every command has, and examples that work as printed. */
export function newCommand(name: string, description: string, examples: readonly (readonly string[])[]): Command {
  const lines = examples.map((words) => `  ${commandLine(...words)}`).join('\n');
  return new Command(name)
    .description(description)
    .addOption(
      new Option('-o, --output <format>', 'text, json, or jsonl (a line as each thing happens)')
        .argParser(parseOutput)
        .default('text'),
    )
    .addHelpText('after', `\nExamples:\n${lines}`);
}

/** What every decision on a held call takes, beside what it is about. */
export function withDecisionOptions(command: Command): Command {
  return command
    .option(...HASH_OPTION, parseHash)
    .option(...DETACH_OPTION)
    .option('--wait <duration>', 'watch for this long at most (exit code 124 after it)', parseDuration)
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION);
}

export const AGENTS_OPTION = [
  '--agents <module>',
  'module whose default export is the list of agents (default: caseworker.config, CASEWORKER_AGENTS, the examples)',
] as const;
export const BY_OPTION = ['--by <name>', 'who decides; recorded as given, not proven (default: your account)'] as const;
export const DETACH_OPTION = ['--detach', 'come back as soon as it is decided'] as const;
export const HASH_OPTION = ['--args-hash <hash>', 'hash of the arguments that you read, as inbox and show print it: nothing else is decided'] as const;
export const YES_OPTION = ['-y, --yes', 'do not ask'] as const;
