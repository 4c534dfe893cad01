import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Person } from '../../../core/run.ts';
import type { RunSummary } from '../../../client/types.ts';
import type { ApiFailure } from '../api.ts';
import { END_WORDS, spanWords, STATUS_WORDS, timeWords } from '../words.ts';

/** A moment in the person's own zone. */
export function Moment({ ms }: { readonly ms: number }) {
  return <time dateTime={new Date(ms).toISOString()}>{timeWords(ms)}</time>;
}

/** How long ago (`lasting`: for how long now), or how long until; it goes on counting. */
export function Age({ ms, until = false, lasting = false }: { readonly ms: number; readonly until?: boolean; readonly lasting?: boolean }) {
  const now = useNow();
  const span = until ? ms - now : now - ms;
  if (until && span <= 0) return <span>over</span>;
  const words = until ? `in ${spanWords(span)}` : `${spanWords(Math.max(1_000, span))}${lasting ? '' : ' ago'}`;
  return <time dateTime={new Date(ms).toISOString()} title={timeWords(ms)}>{words}</time>;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Who({ person }: { readonly person: Person }) {
  return <span class="who">{person.name}{person.verified ? '' : <span class="quiet"> (name not proven)</span>}</span>;
}

export function Status({ run }: { readonly run: Pick<RunSummary, 'status' | 'endReason'> }) {
  const { status, endReason } = run;
  const words = status === 'ended' && endReason ? (END_WORDS[endReason] ?? endReason) : (STATUS_WORDS[status] ?? status);
  const kind = status === 'ended' ? (endReason === 'final_answer' ? 'good' : 'stopped') : status === 'running' ? 'going' : status === 'terminated' || status === 'failed' ? 'bad' : 'waits';
  return <span class={`status ${kind}`}>{words}</span>;
}

/** What is going on when there is nothing to show, and what to do about it. */
export function Notice({ title, children, kind = 'plain' }: { readonly title: string; readonly children?: ComponentChildren; readonly kind?: 'plain' | 'warn' }) {
  return <div class={`notice ${kind}`} role={kind === 'warn' ? 'alert' : undefined}><strong>{title}</strong>{children ? <div>{children}</div> : null}</div>;
}

const WHAT_TO_DO: Readonly<Partial<Record<ApiFailure['kind'], string>>> = {
  lost: 'The page tries again by itself. If it does not come back, start it again: caseworker console.',
  unreachable: 'No run goes on until it is back, and none is lost. The page tries again by itself. Start the server if it is down: caseworker dev.',
  not_allowed: 'Ask an operator for the role.',
};

const TITLES: Readonly<Partial<Record<ApiFailure['kind'], string>>> = {
  lost: 'The connection to the console is lost.', unreachable: 'The Temporal server does not answer.',
};

export function Failure({ failure, old }: { readonly failure: ApiFailure; readonly old?: number | undefined }) {
  const title = TITLES[failure.kind] ?? failure.message;
  return (
    <Notice title={title} kind="warn">
      {WHAT_TO_DO[failure.kind]}
      {old === undefined ? null : <> What you see is from <Moment ms={old} />.</>}
      {failure.kind === 'unreachable' ? <details><summary>What it said</summary><p class="said">{failure.message}</p></details> : null}
    </Notice>
  );
}

/** Over plain HTTP browsers give a page no clipboard; a marked text can still be copied. */
async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard) return clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

export function CopyButton({ text, label }: { readonly text: () => string; readonly label: string }) {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text());
    setDone(true);
    setTimeout(() => setDone(false), 2_000);
  };
  return <button type="button" class="small" onClick={() => void copy()}>{done ? 'Copied' : label}</button>;
}
