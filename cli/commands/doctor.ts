import { Option, type Command } from 'commander';
import { OFFLINE_MODEL, startOfflineModel } from '../../models/index.ts';
import type { ModelEndpoint } from '../../models/index.ts';
import type { ProbeName } from '../../models/probe-finding.ts';
import { probeModel } from '../../models/probe.ts';
import type { ProbeReport } from '../../models/probe.ts';
import { hostOf, providerOf } from '../../worker/model-access.ts';
import { loadAgents, loadSettings } from '../config.ts';
import { findingLines, problemText, verdictLines } from '../doctor-text.ts';
import { agentWarnings } from '../doctor-warnings.ts';
import { execute, optionsOf, type CommonOptions, type Execution } from '../execute.ts';
import { EXIT, exitCodeOfStop, type ExitCode } from '../exit-codes.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { parseDuration } from '../parse-options.ts';

interface DoctorOptions extends CommonOptions {
  readonly timeout: number;
}

/** Longer than a model that reasons takes for a short question; with eight requests it bounds the whole. */
const TIMEOUT_MS = 30_000;

export function doctorCommand(): Command {
  return newCommand('doctor', 'Probe the model server that is set: what works, what Caseworker does about the rest, which form to use.', [
    ['doctor'], ['doctor', '--timeout', '60s'], ['doctor', '-o', 'json'],
  ])
    .addOption(new Option('--timeout <duration>', 'longest wait for one answer; there are at most eight').argParser(parseDuration).default(TIMEOUT_MS, '30s'))
    .option(...AGENTS_OPTION)
    .action((_options, self: Command) => {
      const options = optionsOf<DoctorOptions>(self);
      return execute(options, (execution) => examine(options, execution));
    });
}

async function examine({ agents: module, timeout }: DoctorOptions, { out, interrupt }: Execution): Promise<ExitCode> {
  const provider = providerOf(process.env);
  out.say(provider ? `Probing ${provider.model} at ${hostOf(provider.baseURL)} …` : OFFLINE_TEXT);
  const settings = await loadSettings(module === undefined ? {} : { agents: module });
  const agents = await loadAgents(settings.agentsModule);
  const { endpoint, close } = provider ? { endpoint: provider, close: nothing } : await offlineEndpoint();
  try {
    const onStart = (probe: ProbeName) => out.say(`  ${probe} …`);
    const report = await probeModel(endpoint, { timeoutMs: timeout, signal: interrupt.signal, onStart });
    const warnings = provider ? agentWarnings(agents, endpoint.model) : agentWarnings(agents.map(withoutModel), endpoint.model);
    tell(out, { report, warnings, endpoint, isOffline: !provider });
    return exitCodeOfReport(report);
  } finally {
    await close();
  }
}

const OFFLINE_TEXT = 'Neither OPENAI_API_KEY nor OPENAI_BASE_URL is set: probing the offline model (rules, not an LLM) …';

const nothing = () => Promise.resolve();

/** Without a provider the offline model answers for every agent, whatever model it asks for. */
function withoutModel<T extends { readonly model?: string }>({ model: _, ...agent }: T): Omit<T, 'model'> {
  return agent;
}

async function offlineEndpoint(): Promise<{ readonly endpoint: ModelEndpoint; readonly close: () => Promise<void> }> {
  const server = await startOfflineModel();
  return { endpoint: { baseURL: server.baseURL, apiKey: 'offline', model: OFFLINE_MODEL }, close: () => server.close() };
}

interface Told {
  readonly report: ProbeReport;
  readonly warnings: readonly string[];
  readonly endpoint: ModelEndpoint;
  readonly isOffline: boolean;
}

function tell(out: Execution['out'], { report, warnings, endpoint, isOffline }: Told): void {
  const { findings, ...verdict } = report;
  const about = { model: endpoint.model, host: hostOf(endpoint.baseURL), offline: isOffline };
  if (out.format === 'json') out.value({ ...about, ...verdict, warnings, findings });
  if (out.format === 'jsonl') [...findings, { ...about, ...verdict, warnings }].forEach(out.value);
  if (out.format === 'text') out.lines([...findingLines(report, out.style), '', ...verdictLines(report, warnings, out.style)]);
  const problem = problemText(report);
  if (problem !== undefined) out.say(`Error: ${problem}`);
}

/** The same judgement as for a run that such a failure has ended. */
function exitCodeOfReport({ form, findings }: ProbeReport): ExitCode {
  if (form) return EXIT.ok;
  const isSilent = findings.some(({ failure }) => failure !== undefined && exitCodeOfStop({ reason: 'error', detail: failure }) === EXIT.unreachable);
  return isSilent ? EXIT.unreachable : EXIT.error;
}
