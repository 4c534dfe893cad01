import { FAILURE } from '../core/names.ts';
import type { Finding } from '../models/probe-finding.ts';
import type { ProbeReport } from '../models/probe.ts';
import { labelled, plainText } from './plain-text.ts';
import type { TraceStyle } from './trace-style.ts';

const PROBE_COLUMNS = 19;
const RESULT_COLUMNS = 13;

/** The table of what works, and what Caseworker does about the rest. */
export function findingLines({ findings, problem }: ProbeReport, style: TraceStyle): readonly string[] {
  const heading = `${'PROBE'.padEnd(PROBE_COLUMNS)}${'RESULT'.padEnd(RESULT_COLUMNS)}WHAT CASEWORKER DOES`;
  return [style.bold(heading), ...findings.flatMap((finding) => findingRow(finding, { problem, width: style.width }))];
}

interface RowStyle {
  /** Told in a line of its own, so not in the table. */
  readonly problem: string | undefined;
  readonly width: number;
}

function findingRow({ probe, result, saw, then }: Finding, { problem, width }: RowStyle): readonly string[] {
  const label = `${probe.padEnd(PROBE_COLUMNS)}${result.padEnd(RESULT_COLUMNS)}`;
  // Nothing was sent, so there is nothing to do about it but what the table says elsewhere.
  const text = [saw === problem ? '' : saw, result === 'not reached' ? '' : then].filter(Boolean).join('; ');
  return labelled(label, plainText(text), { indent: label.length, width });
}

const FORM_TEXT = {
  'function-calling': 'function-calling, which agents use unless they or --form say otherwise',
  text: 'text: set form: \'text\' in the agent, or start runs with --form text',
} as const;

/** Which form to use, what was left out, and what to look at. */
export function verdictLines({ form, leftOut, problem }: ProbeReport, warnings: readonly string[], style: TraceStyle): readonly string[] {
  const field = (label: string, text: string) => labelled(label, plainText(text), { indent: 10, width: style.width });
  return [
    ...(form ? field('Form', FORM_TEXT[form]) : []),
    ...(form || problem ? [] : field('Form', 'none: the model\'s calls can be read in neither form, so no run would get anywhere')),
    ...(leftOut.length > 0 ? field('Left out', `${leftOut.join(', ')}: the server refuses it, so runs go on without it`) : []),
    ...warnings.flatMap((warning) => field('Warning', warning)),
  ];
}

/** Why the probing ended early, with the fix. */
export function problemText({ problem, findings }: ProbeReport): string | undefined {
  const isTimeout = findings.some(({ failure }) => failure === FAILURE.modelTimeout);
  return problem !== undefined && isTimeout ? `${problem} A longer --timeout tells a slow model from one that hangs.` : problem;
}
