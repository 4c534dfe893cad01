import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../core/json.ts';
import type { DoubtView, OpenQuestion, RunProgress } from '../../../core/run.ts';
import { decide, say } from '../said.ts';
import { Arguments } from './arguments.tsx';
import { Age } from './bits.tsx';
import { AnswerFields, Field, Form, TextField } from './forms.tsx';

interface QuestionProps {
  readonly run: string;
  readonly question: OpenQuestion;
  readonly mayAnswer: boolean;
  readonly onDone?: () => void;
}

export function Question({ run, question, mayAnswer, onDone }: QuestionProps) {
  const [text, setText] = useState('');
  const [values, setValues] = useState<JsonObject>({});
  const body = { call: question.call, ...(question.form ? { fields: values } : { text }) };
  return (
    <section class="question" aria-label="Question">
      <h3 class="said">{question.question}</h3>
      <p class="quiet">Asked <Age ms={question.askedAtMs} />.</p>
      {mayAnswer ? (
        <Form button="Answer" onSend={async () => { if (await decide(run, 'answer', body)) onDone?.(); }}>
          {question.form ? <AnswerFields form={question.form} values={values} onValues={setValues} /> : <TextField label="Your answer" value={text} onValue={setText} lines={3} required />}
        </Form>
      ) : null}
    </section>
  );
}

interface DoubtProps {
  readonly run: string;
  readonly doubt: DoubtView;
  readonly maySettle: boolean;
  readonly onDone?: () => void;
}

const OUTCOMES = [['happened', 'It happened'], ['not_happened', 'It did not happen'], ['retry', 'Try it again']] as const;

export function Doubt({ run, doubt, maySettle, onDone }: DoubtProps) {
  const [outcome, setOutcome] = useState('');
  const [result, setResult] = useState('');
  const body = { call: doubt.call, outcome, ...(outcome === 'happened' && result !== '' ? { result } : {}) };
  return (
    <section class="doubt" aria-label={`Unknown outcome of ${doubt.call}`}>
      <h3>Did {doubt.tool} ({doubt.call}) happen?</h3>
      <p class="said">{doubt.text}</p>
      {doubt.args ? <Arguments args={doubt.args} /> : null}
      {maySettle ? (
        <Form button="Say so" problem={undefined} onSend={async () => { if (await decide(run, 'settle', body)) onDone?.(); }}>
          <Field label="What became of it">
            {(id) => <select id={id} required value={outcome} onChange={(event) => setOutcome(event.currentTarget.value)}>
              <option value="">Look it up, then choose …</option>
              {OUTCOMES.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </select>}
          </Field>
          {outcome === 'happened' ? <TextField label="Result" hint="(may be left out)" value={result} onValue={setResult} /> : null}
          {outcome === 'retry' ? <p class="problem">If it did happen, it happens twice.</p> : null}
        </Form>
      ) : null}
    </section>
  );
}

type Verb = 'resume' | 'resolve' | 'take-over' | 'give-back' | 'pause' | 'message' | 'redirect' | 'cancel' | 'call' | 'todo';

const NAMES: Readonly<Record<Verb, string>> = {
  resume: 'Resume', resolve: 'Resolve', 'take-over': 'Take over', 'give-back': 'Give back', pause: 'Pause', message: 'Message', redirect: 'Redirect', cancel: 'Cancel the run', call: 'Run a tool', todo: 'To-do list',
};
/** On the button that sends: what it does, in other words than the verb's own button, which stays in sight. */
const SENDS: Readonly<Record<Verb, string>> = {
  resume: 'Let it go on', resolve: 'End with this answer', 'take-over': 'Hold the run', 'give-back': 'Let the agent go on', pause: 'Pause it', message: 'Send', redirect: 'Set this goal', cancel: 'End the run', call: 'Run it', todo: 'Add item',
};
const EXPLAINED: Readonly<Record<Verb, string>> = {
  resume: 'The agent goes on. Raise a limit if one stopped it.', resolve: 'Your answer becomes the result, and the run ends.', 'take-over': 'You hold the run: no model is called until you give it back.',
  'give-back': 'The agent goes on, with all that you did in its evidence.', pause: 'Nothing more is started. A model call or tool under way ends, but the calls in that reply do not run. If the reply is the answer, or hands over, the run stops with it.', message: 'The model reads it with its next turn.',
  redirect: 'Changes the goal of the run.', cancel: 'The run ends. What was done stays done.', call: 'Runs with your name, checked as the model\'s calls are.', todo: 'Adds an open item.',
};

/** The verbs that mean something as the run stands. */
function verbsFor({ status }: Pick<RunProgress, 'status'>): readonly Verb[] {
  switch (status) {
    case 'running': return ['message', 'redirect', 'pause', 'take-over', 'cancel'];
    case 'paused': return ['resume', 'message', 'redirect', 'take-over', 'cancel'];
    case 'handed_over': return ['resume', 'resolve', 'take-over', 'message', 'cancel'];
    case 'taken_over': return ['give-back', 'call', 'todo', 'resolve', 'cancel'];
    default: return ['message', 'redirect', 'pause', 'take-over', 'cancel'];
  }
}

interface RunActsProps {
  readonly run: string;
  readonly progress: Pick<RunProgress, 'status' | 'limits' | 'budget' | 'goal'>;
  readonly onDone?: () => void;
}

export function RunActs({ run, progress, onDone }: RunActsProps) {
  const [verb, setVerb] = useState<Verb | undefined>();
  const done = (): void => {
    setVerb(undefined);
    onDone?.();
  };
  const toggle = (one: Verb): void => {
    // What became of an earlier act would read as if it were said of the form that opens.
    say(undefined);
    setVerb(verb === one ? undefined : one);
  };
  return (
    <div class="acts">
      <div class="buttons">
        {verbsFor(progress).map((one) => (
          <button type="button" key={one} class={one === 'cancel' ? 'danger' : ''} aria-expanded={verb === one} onClick={() => toggle(one)}>{NAMES[one]}</button>
        ))}
      </div>
      {verb ? <ActForm key={verb} verb={verb} run={run} progress={progress} onDone={done} onCancel={() => setVerb(undefined)} /> : null}
    </div>
  );
}

interface ActFormProps extends RunActsProps {
  readonly verb: Verb;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

const TEXT_OF: Readonly<Record<Verb, readonly [field: string, label: string, required: boolean]>> = {
  resume: ['note', 'Note to the agent', false], 'give-back': ['note', 'Note to the agent', false], resolve: ['answer', 'The answer', true], 'take-over': ['reason', 'Reason', false],
  pause: ['reason', 'Reason', false], message: ['text', 'Message', true], redirect: ['goal', 'New goal', true], cancel: ['reason', 'Reason', true], call: ['tool', 'Tool', true], todo: ['item', 'New item', true],
};

function ActForm({ verb, run, progress, onDone, onCancel }: ActFormProps) {
  const [field, label, required] = TEXT_OF[verb];
  const [typed, setText] = useState<string>();
  // Until somebody types, the goal is the run's: another one may be set while the form is open.
  const text = typed ?? (verb === 'redirect' ? progress.goal : '');
  const [args, setArgs] = useState('{}');
  const [limits, setLimits] = useState<JsonObject>({});
  const raises = verb === 'resume' || verb === 'give-back';
  const parsed = parsedObject(args);
  const body = verb === 'todo' ? { add: [text] } : {
    ...(text === '' && !required ? {} : { [field]: text }),
    ...(verb === 'call' ? { args: parsed ?? {} } : {}),
    ...(raises && Object.keys(limits).length > 0 ? { limits } : {}),
  };
  return (
    <Form button={SENDS[verb]} danger={verb === 'cancel'} onCancel={onCancel} problem={verb === 'call' && !parsed ? 'The arguments must be a JSON object.' : undefined}
      onSend={async () => { if (await decide(run, verb, body)) onDone(); }}>
      <p class="quiet">{EXPLAINED[verb]}</p>
      <TextField label={label} hint={required ? '' : '(may be left out)'} value={text} onValue={setText} lines={verb === 'call' ? 1 : 2} required={required} autofocus />
      {verb === 'call' ? <TextField label="Arguments" hint="(JSON)" value={args} onValue={setArgs} lines={3} /> : null}
      {raises ? <RaisedLimits progress={progress} onLimits={setLimits} /> : null}
    </Form>
  );
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

interface RaisedLimitsProps {
  readonly progress: Pick<RunProgress, 'limits' | 'budget'>;
  readonly onLimits: (limits: JsonObject) => void;
}

/** Left empty, a limit stays as it is. */
function RaisedLimits({ progress: { limits, budget }, onLimits }: RaisedLimitsProps) {
  const [texts, setTexts] = useState({ turns: '', seconds: '', budget: '' });
  const change = (name: keyof typeof texts, text: string): void => {
    const next = { ...texts, [name]: text };
    setTexts(next);
    onLimits({
      ...(next.turns ? { turns: Number(next.turns) } : {}),
      ...(next.seconds ? { timeMs: Number(next.seconds) * 1_000 } : {}),
      ...(next.budget && budget ? { budget: budget.kind === 'money' ? { kind: 'money', money: { amount: next.budget, currency: budget.money.currency } } : { kind: 'tokens', tokens: Number(next.budget) } } : {}),
    });
  };
  const nowOf = (value: string | number | undefined): string => (value === undefined ? '' : `(now ${value})`);
  const rows = [
    ['turns', 'Turns', nowOf(limits?.turns)], ['seconds', 'Active seconds', nowOf(limits?.timeMs === undefined ? undefined : limits.timeMs / 1_000)],
    ...(budget ? [['budget', `Budget in ${budget.kind === 'money' ? budget.money.currency : 'tokens'}`, nowOf(budget.kind === 'money' ? budget.money.amount : budget.tokens)] as const] : []),
  ] as const;
  return (
    <fieldset class="limits">
      <legend>Raise a limit</legend>
      {rows.map(([name, label, hint]) => (
        <Field key={name} label={label} hint={hint}>
          {(id) => <input id={id} type="number" min="1" step={name === 'budget' ? 'any' : '1'} value={texts[name]} onInput={(event) => change(name, event.currentTarget.value)} />}
        </Field>
      ))}
    </fieldset>
  );
}
