import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { JsonObject, JsonValue } from '../../../core/json.ts';
import type { QuestionField, QuestionForm } from '../../../core/run.ts';
import { fieldWords } from '../words.ts';
import { valueText } from './arguments.tsx';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly children: (id: string) => ComponentChildren;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return <div class="field"><label for={id}>{label}{hint ? <span class="quiet"> {hint}</span> : null}</label>{children(id)}</div>;
}

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly lines?: number;
  readonly required?: boolean;
  readonly autofocus?: boolean;
}

export function TextField({ label, hint, value, onValue, lines = 1, required = false, autofocus = false }: TextFieldProps) {
  const focus = autofocus ? { ref: (element: HTMLElement | null) => { if (element && !element.dataset.focused) { element.dataset.focused = 'yes'; element.focus(); } } } : {};
  return (
    <Field label={label} {...(hint ? { hint } : {})}>
      {(id) => lines > 1
        ? <textarea id={id} rows={lines} value={value} required={required} {...focus} onInput={(event) => onValue(event.currentTarget.value)} />
        : <input id={id} type="text" value={value} required={required} {...focus} onInput={(event) => onValue(event.currentTarget.value)} />}
    </Field>
  );
}

interface FormProps {
  readonly button: string;
  readonly onSend: () => Promise<unknown>;
  readonly onCancel?: () => void;
  readonly danger?: boolean;
  readonly children: ComponentChildren;
  /** Why it cannot be sent. */
  readonly problem?: string | undefined;
}

/** Sends once: the button waits until the answer is there. */
export function Form({ button, onSend, onCancel, danger = false, children, problem }: FormProps) {
  const [busy, setBusy] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy || problem) return;
    setBusy(true);
    try {
      await onSend();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void send(event)} onKeyDown={(event) => { if (event.key === 'Escape') onCancel?.(); }}>
      {children}
      {problem ? <p class="problem" role="alert">{problem}</p> : null}
      <div class="buttons">
        <button type="submit" class={danger ? 'danger' : 'primary'} disabled={busy || Boolean(problem)}>{busy ? 'Sending …' : button}</button>
        {onCancel ? <button type="button" onClick={onCancel}>Back</button> : null}
      </div>
    </form>
  );
}

interface EditArgumentsProps {
  readonly args: JsonObject;
  readonly onArgs: (args: JsonObject | undefined) => void;
}

/** A field for each argument. Texts are typed as they are, everything else as JSON: a number must stay a number. */
export function EditArguments({ args, onArgs }: EditArgumentsProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, valueText(value)])));
  const change = (name: string, text: string): void => {
    const next = { ...texts, [name]: text };
    setTexts(next);
    onArgs(readAll(args, next));
  };
  return (
    <>
      {Object.keys(args).map((name, i) => {
        const value = args[name];
        const isText = typeof value === 'string';
        const isBroken = readOne(value, texts[name] ?? '') === undefined;
        return (
          <div key={name}>
            <TextField label={fieldWords(name)} hint={isText ? '' : `(${Array.isArray(value) ? 'list' : value === null ? 'nothing' : typeof value})`} value={texts[name] ?? ''}
              lines={(texts[name] ?? '').length > 60 ? 4 : 1} autofocus={i === 0} onValue={(text) => change(name, text)} />
            {isBroken ? <p class="problem">This must stay {typeof value === 'number' ? 'a number' : 'JSON'}.</p> : null}
          </div>
        );
      })}
    </>
  );
}

function readAll(args: JsonObject, texts: Readonly<Record<string, string>>): JsonObject | undefined {
  const read = Object.keys(args).map((name) => [name, readOne(args[name], texts[name] ?? '')] as const);
  return read.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(read.map(([name, value]) => [name, value ?? null]));
}

function readOne(before: JsonValue | undefined, text: string): JsonValue | undefined {
  if (typeof before === 'string') return text;
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof before === 'number' && typeof value !== 'number' ? undefined : value;
  } catch {
    return undefined;
  }
}

interface AnswerFieldsProps {
  readonly form: QuestionForm;
  readonly values: JsonObject;
  readonly onValues: (values: JsonObject) => void;
}

/** The fields that a question asks for. */
export function AnswerFields({ form, values, onValues }: AnswerFieldsProps) {
  return (
    <>
      {Object.entries(form).map(([name, field]) => (
        <AnswerField key={name} name={name} field={field} value={values[name]} onValue={(value) => {
          const { [name]: _, ...rest } = values;
          onValues(value === undefined ? rest : { ...rest, [name]: value });
        }} />
      ))}
    </>
  );
}

interface AnswerFieldProps {
  readonly name: string;
  readonly field: QuestionField;
  readonly value: JsonValue | undefined;
  readonly onValue: (value: JsonValue | undefined) => void;
}

function AnswerField({ name, field, value, onValue }: AnswerFieldProps) {
  const { type, label = fieldWords(name), options = [], required = true } = field;
  const hint = required ? '' : '(may be left out)';
  if (type === 'choice' || type === 'boolean') {
    const choices = type === 'boolean' ? ['yes', 'no'] : options;
    const shown = type === 'boolean' ? (value === undefined ? '' : value === true ? 'yes' : 'no') : typeof value === 'string' ? value : '';
    return (
      <Field label={label} hint={hint}>
        {(id) => (
          <select id={id} required={required} value={shown} onChange={({ currentTarget: { value: chosen } }) => onValue(chosen === '' ? undefined : type === 'boolean' ? chosen === 'yes' : chosen)}>
            <option value="">Choose …</option>
            {choices.map((option) => <option key={option} value={option}>{option}</option>)}
          </select>
        )}
      </Field>
    );
  }
  const read = (text: string): JsonValue | undefined => (text === '' ? undefined : type === 'number' ? Number(text) : text);
  return (
    <Field label={label} hint={hint}>
      {(id) => {
        const shared = { id, required, value: valueText(value ?? undefined), onInput: (event: TargetedInputEvent<HTMLInputElement>) => onValue(read(event.currentTarget.value)) };
        if (type === 'number') return <input type="number" step="any" {...shared} />;
        return type === 'date' ? <input type="date" {...shared} /> : <input type="text" {...shared} />;
      }}
    </Field>
  );
}
