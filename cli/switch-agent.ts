import { UsageError } from '../client/errors.ts';
import { createSwitches, type Switch } from '../client/switches.ts';
import { createFileBlobStore } from '../worker/file-blob-store.ts';
import { command } from './command-name.ts';
import { loadAgents, loadSettings } from './config.ts';
import type { CommonOptions } from './execute.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { table, type Output } from './output.ts';
import { oneLine } from './plain-text.ts';
import { personHere } from './person.ts';
import { agoText } from './words.ts';

export interface SwitchAgent {
  readonly off: boolean;
  readonly agent: string;
  readonly tool: string | undefined;
  readonly options: CommonOptions & { readonly reason?: string };
}

/** Needs no server: workers look into their blob store before every call. */
export async function switchAgent(out: Output, { off, agent, tool, options }: SwitchAgent): Promise<ExitCode> {
  const { reason } = options;
  if (off && (reason === undefined || reason.trim() === '')) throw new UsageError('Say why: whoever gets its runs reads it (--reason).');
  const settings = await loadSettings(options);
  const switches = createSwitches({ blobs: createFileBlobStore(settings.dataDir) });
  const request = { agent, by: personHere(options.by), ...(tool === undefined ? {} : { tool }) };
  const done = off ? await switches.disable({ ...request, reason: reason ?? '' }) : await switches.enable({ ...request, ...(reason === undefined ? {} : { reason }) });
  const unknown = await unknownHere(settings.agentsModule, { agent, tool });
  if (unknown) out.say(`Note: ${unknown}. Workers that serve another module may know it.`);
  const what = tool === undefined ? agent : `${tool} of ${agent}`;
  if (off) out.say(`${what} is off: the next call of it is a hand-over, in running runs too.\nSwitch it on: ${enableText({ agent, tool })}`);
  else out.say([`${what} is on.`, ...stillOff(await switches.list(), agent), `Runs that it handed over are resumed by hand: ${command('inbox')}`].join('\n'));
  if (out.format !== 'text') out.value(done);
  return EXIT.ok;
}

function enableText({ agent, tool }: { readonly agent: string; readonly tool?: string | undefined }): string {
  return command('enable', agent, ...(tool === undefined ? [] : [tool]));
}

/** An agent that is off keeps its tools off; a tool may be off while its agent is on. */
function stillOff(all: readonly Switch[], agent: string): readonly string[] {
  return all.filter((one) => one.off && one.agent === agent).map((one) => `Still off: ${one.tool === undefined ? 'the agent as a whole' : one.tool} (${one.by}: ${oneLine(one.reason, 60)}). Switch it on: ${enableText(one)}`);
}

/** A name that is misspelt switches nothing off. */
async function unknownHere(module: string, { agent, tool }: Pick<SwitchAgent, 'agent' | 'tool'>): Promise<string | undefined> {
  const agents = await loadAgents(module);
  const known = agents.filter(({ name }) => name === agent);
  if (known.length === 0) return `${module} has no agent "${agent}"; it has ${agents.map(({ name }) => name).join(', ')}`;
  if (tool === undefined || known.some(({ tools }) => tools.some(({ name }) => name === tool))) return undefined;
  return `${agent} has no tool "${tool}"; it has ${known.flatMap(({ tools }) => tools.map(({ name }) => name)).join(', ')}`;
}

export async function listSwitches(out: Output, options: CommonOptions): Promise<ExitCode> {
  const { dataDir } = await loadSettings(options);
  const off = (await createSwitches({ blobs: createFileBlobStore(dataDir) }).list()).filter((one) => one.off);
  if (out.format === 'json') out.value(off);
  if (out.format === 'jsonl') off.forEach(out.value);
  if (out.format === 'text' && off.length > 0) out.lines(table(HEADINGS, off.map((one) => row(one, Date.now())), out.style.width));
  if (off.length === 0) out.say('Nothing is switched off.');
  return EXIT.ok;
}

const HEADINGS = ['AGENT', 'TOOL', 'BY', 'SINCE', 'REASON'];

function row({ agent, tool, by, atMs, reason }: Switch, nowMs: number): readonly string[] {
  return [oneLine(agent, 24), tool === undefined ? '(all of it)' : oneLine(tool, 32), oneLine(by, 20), agoText(atMs, nowMs), oneLine(reason, 60)];
}
