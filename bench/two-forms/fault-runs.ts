import type { Form } from '../../core/agent.ts';
import type { RunResult } from '../../core/run.ts';
import type { Line, Script, Scripts } from '../../models/index.ts';
import { deskAgent, startDesk } from '../../test/support/start-desk.ts';
import { connectWorker } from '../../worker/connect.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { FAULTS, refusalOf, REFUSED } from './faults.ts';
import type { Fault } from './faults.ts';
import type { Place } from './place.ts';

export const FORMS = ['function-calling', 'text'] as const;

/** What the model says in the second turn, whatever the first one was. */
const LAST = 'That is all I can say.';

const LAST_LINE: Readonly<Record<Form, Line>> = { 'function-calling': { text: LAST }, text: { text: `Thought: That is all.\nFinal Answer: ${LAST}` } };

export interface MeasuredFault {
  readonly name: string;
  /** What became of it, in words; absent where the form cannot meet it. */
  readonly became: Readonly<Partial<Record<Form, string>>>;
}

/** Every fault as the first reply of a run, in each form that can meet it: real server, real worker, scripted model. */
export async function runFaults({ cluster, connection, dataDir, env }: Place): Promise<readonly MeasuredFault[]> {
  const nativeConnection = await connectWorker(cluster);
  const bundle = await workflowBundle({ env, report: () => undefined });
  const server = { connection, nativeConnection, namespace: cluster.namespace, bundle, taskQueue: 'two-forms-faults', dataDir };
  const desk = await startDesk(server, { script: scripts(), agents: [deskAgent()] });
  try {
    const measured: MeasuredFault[] = [];
    for (const [i, { name, lines }] of FAULTS.entries()) {
      const became: Partial<Record<Form, string>> = {};
      for (const form of FORMS.filter((each) => lines[each] !== undefined)) {
        const { result } = await desk.run({ task: `script:${keyOf(i, form)} Look at order 88213.`, form });
        became[form] = wordsFor(result);
      }
      measured.push({ name, became });
    }
    return measured;
  } finally {
    await desk.close();
    await nativeConnection.close();
  }
}

function scripts(): Scripts {
  return Object.fromEntries(FAULTS.flatMap((fault, i) => FORMS.map((form): readonly [string, Script] => [keyOf(i, form), scriptOf(fault, form)])));
}

function scriptOf({ name, lines }: Fault, form: Form): Script {
  const refusal = refusalOf(name);
  const parameter = REFUSED[name] ?? '';
  return ({ turn, body }) => {
    if (refusal && Object.hasOwn(body, parameter)) return refusal;
    return (turn === 0 ? lines[form] : undefined) ?? LAST_LINE[form];
  };
}

function keyOf(fault: number, form: Form): string {
  return `fault-${fault}-${form}`;
}

function wordsFor({ endReason, answer, usage, counters, stops }: RunResult): string {
  const counted = Object.entries(counters).filter(([, count]) => count > 0).map(([name, count]) => `\`${name}\` ${count}`);
  return [became(), ...counted].join(', ');

  function became(): string {
    if (endReason !== 'final_answer') return `the run ends: \`${endReason}\` (${stops.at(-1)?.detail ?? 'no detail'})`;
    if (answer !== LAST) return 'taken as the answer';
    if (usage.toolCalls === 0) return 'nothing runs, the model is told and asked again';
    return usage.toolCalls === 1 ? 'the call runs' : `${usage.toolCalls} calls run`;
  }
}
