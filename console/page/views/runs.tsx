import { useEffect, useState } from 'preact/hooks';
import type { RunSummary } from '../../../client/types.ts';
import { END_REASONS } from '../../../core/run.ts';
import type { PresentCosts } from '../../api/present-costs.ts';
import type { RunPage } from '../../api/run-pages.ts';
import { ApiFailure, get } from '../api.ts';
import { Failure, Notice } from '../parts/bits.tsx';
import { Field } from '../parts/forms.tsx';
import { RunList } from '../parts/run-list.tsx';
import { say } from '../said.ts';
import { useStream } from '../use-live.ts';
import { END_WORDS, STATUS_WORDS } from '../words.ts';

type Page = RunPage & { readonly filter: string };

/** Runs, filtered by what stands in the page's address. */
export function RunsView({ query }: { readonly query: URLSearchParams }) {
  const search = query.toString();
  const { value, failure, atMs } = useStream<Page>(`/api/runs/events${search ? `?${search}` : ''}`, 'runs');
  const more = useMore(search, value?.next);
  const present = usePresentCosts(search, value?.runs.some(({ status }) => status === 'running') ?? false);
  const runs = [...(value?.runs ?? []), ...more.runs.filter(({ id }) => !value?.runs.some((one) => one.id === id))];
  return (
    <>
      <h1>Runs</h1>
      <details class="filter-box" open={search !== '' || matchMedia('(min-width: 801px)').matches}>
        <summary>Filter</summary>
        <Filters key={search} query={query} />
      </details>
      {failure ? <Failure failure={failure} old={value ? atMs : undefined} /> : null}
      {!value && !failure ? <p class="quiet">Looking …</p> : null}
      {value && runs.length === 0 ? (search === ''
        ? <Notice title="No runs yet."><a href="#/start">Start the first one</a>, or on the command line: caseworker run AGENT "task".</Notice>
        : <Notice title="No run matches."><a href="#/runs">Show all runs</a>.</Notice>) : null}
      {runs.length > 0 ? <RunList runs={runs} present={present} /> : null}
      {more.next ? <button type="button" onClick={() => void more.load()}>More</button> : null}
      {value ? <p class="quiet filter">List filter of Temporal: <code>{value.filter}</code></p> : null}
    </>
  );
}

interface More {
  readonly runs: readonly RunSummary[];
  readonly next: string | undefined;
  readonly load: () => Promise<void>;
}

const COSTS_EVERY_MS = 10_000;

/** What running runs cost by now. The list does not wait for it, and does without it where no worker answers. */
function usePresentCosts(search: string, isOfUse: boolean): PresentCosts | undefined {
  const [costs, setCosts] = useState<PresentCosts | undefined>();
  useEffect(() => setCosts(undefined), [search]);
  useEffect(() => {
    if (!isOfUse) return undefined;
    const left = new AbortController();
    const look = (): void => {
      if (document.visibilityState === 'hidden') return;
      get<PresentCosts>(`/api/costs${search ? `?${search}` : ''}`, left.signal).then(setCosts, () => { if (!left.signal.aborted) setCosts(undefined); });
    };
    look();
    const timer = setInterval(look, COSTS_EVERY_MS);
    return () => {
      left.abort();
      clearInterval(timer);
    };
  }, [search, isOfUse]);
  return costs;
}

/** The pages after the first, which stays live. */
function useMore(search: string, first: string | undefined): More {
  const [state, setState] = useState<{ readonly runs: readonly RunSummary[]; readonly next?: string | undefined; readonly begun: boolean }>({ runs: [], begun: false });
  useEffect(() => setState({ runs: [], begun: false }), [search]);
  const next = state.begun ? state.next : first;
  const load = async (): Promise<void> => {
    if (!next) return;
    try {
      const page = await get<Page>(`/api/runs?${new URLSearchParams([...new URLSearchParams(search), ['page', next]]).toString()}`);
      setState((before) => ({ runs: [...before.runs, ...page.runs], next: page.next, begun: true }));
    } catch (error) {
      say({ kind: 'refused', text: error instanceof ApiFailure ? error.message : String(error) });
    }
  };
  return { runs: state.runs, next, load };
}

const TEXTS = [['agent', 'Agent'], ['requestedBy', 'Asked for by']] as const;

function Filters({ query }: { readonly query: URLSearchParams }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(Object.fromEntries(query));
  const set = (name: string, value: string): void => setValues({ ...values, [name]: value });
  const apply = (event: Event): void => {
    event.preventDefault();
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    location.hash = `#/runs${given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''}`;
  };
  const choice = (name: string, label: string, words: Readonly<Record<string, string>>) => (
    <Field label={label}>{(id) => <select id={id} value={values[name] ?? ''} onChange={(event) => set(name, event.currentTarget.value)}><option value="">any</option>{Object.entries(words).map(([value, text]) => <option key={value} value={value}>{text}</option>)}</select>}</Field>
  );
  const day = (name: string, label: string) => (
    <Field label={label}>{(id) => <input id={id} type="datetime-local" value={localTime(values[name])} onInput={({ currentTarget: { value } }) => set(name, value === '' ? '' : new Date(value).toISOString())} />}</Field>
  );
  const amount = (name: string, label: string) => (
    <Field label={label}>{(id) => <input id={id} type="number" min="0" step="any" value={values[name] ?? ''} onInput={(event) => set(name, event.currentTarget.value)} />}</Field>
  );
  return (
    <form class="filters" onSubmit={apply} role="search" aria-label="Filter runs">
      {TEXTS.map(([name, label]) => <Field key={name} label={label}>{(id) => <input id={id} type="text" value={values[name] ?? ''} onInput={(event) => set(name, event.currentTarget.value)} />}</Field>)}
      {choice('status', 'Status', STATUS_WORDS)}
      {choice('endReason', 'How it ended', Object.fromEntries(END_REASONS.map((reason) => [reason, END_WORDS[reason]])))}
      {day('since', 'Started from')}
      {day('until', 'Started before')}
      {amount('costFrom', 'Cost at least')}
      {amount('costTo', 'Cost at most')}
      <Field label="Currency">{(id) => <input id={id} type="text" placeholder="any" pattern="[A-Za-z]{3}" maxLength={3} value={values.currency ?? ''} onInput={({ currentTarget: { value } }) => set('currency', value.toUpperCase())} />}</Field>
      <div class="buttons"><button type="submit" class="primary">Filter</button><a class="button" href="#/runs">All</a></div>
    </form>
  );
}

/** What `datetime-local` takes, in the person's own zone. */
function localTime(iso: string | undefined): string {
  const ms = Date.parse(iso ?? '');
  return Number.isNaN(ms) ? '' : new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
