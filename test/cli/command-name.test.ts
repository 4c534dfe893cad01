import { expect, test } from 'vitest';
import { command, commandText, keepAgents } from '../../cli/command-name.ts';

test('a printed command can be copied: words that a shell would read otherwise are quoted', () => {
  expect(command('run', 'order-desk', 'Is it late?')).toBe('npm run -s caseworker -- run order-desk "Is it late?"');
  expect(command('answer', 'r-1', `It's "$5"`)).toBe(`npm run -s caseworker -- answer r-1 'It'\\''s "$5"'`);
});

test('the command that a hand-over names becomes one that works here; any other text stays as it is', () => {
  expect(commandText('caseworker resume r-1 --note "x"')).toBe('npm run -s caseworker -- resume r-1 --note "x"');
  expect(commandText('ask the bank')).toBe('ask the bank');
});

test('agents that were named are named again by every command that needs them, and by no other', () => {
  keepAgents('./my agents.ts');
  expect(command('resume', 'r-1')).toBe('npm run -s caseworker -- resume r-1 --agents "./my agents.ts"');
  expect(commandText('caseworker resume r-1')).toContain('--agents');
  expect(command('trace', 'r-1')).toBe('npm run -s caseworker -- trace r-1');
});
