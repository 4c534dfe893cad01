import { useEffect, useState } from 'preact/hooks';
import { ApiFailure, get, keepToken } from './api.ts';
import type { Me } from './me.ts';
import { MeContext } from './me.ts';
import { Failure, Notice } from './parts/bits.tsx';
import { Form, TextField } from './parts/forms.tsx';
import { usePlace } from './route.ts';
import type { Place } from './route.ts';
import { say, useSaid } from './said.ts';
import { InboxView } from './views/inbox.tsx';
import { OverviewView } from './views/overview.tsx';
import { PackageView } from './views/package.tsx';
import { RunViewPage } from './views/run.tsx';
import { RunsView } from './views/runs.tsx';
import { StartView } from './views/start.tsx';
import { SwitchesView } from './views/switches.tsx';

const VIEWS = [['inbox', 'Inbox'], ['runs', 'Runs'], ['start', 'Start'], ['overview', 'Overview'], ['switches', 'Switches']] as const;
const AGAIN_MS = 1_000;

export function App() {
  const [me, setMe] = useState<Me | undefined>();
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    get<Me>('/api/me').then((found) => { setMe(found); setFailure(undefined); }, (error: unknown) => {
      const known = error instanceof ApiFailure ? error : new ApiFailure('internal', String(error));
      setFailure(known);
      if (known.kind === 'lost' || known.kind === 'unreachable') timer = setTimeout(() => setAsked(asked + 1), AGAIN_MS);
    });
    return () => clearTimeout(timer);
  }, [asked]);
  if (failure?.kind === 'not_signed_in') return <SignIn problem={failure.message} onToken={() => setAsked(asked + 1)} />;
  if (!me) return <main>{failure ? <Failure failure={failure} /> : null}</main>;
  return <MeContext.Provider value={me}><Frame me={me} /></MeContext.Provider>;
}

function Frame({ me }: { readonly me: Me }) {
  const place = usePlace();
  const said = useSaid();
  useEffect(() => { document.title = `${VIEWS.find(([view]) => view === place.view)?.[1] ?? place.id ?? 'Run'} · Caseworker`; }, [place]);
  useEffect(() => say(undefined), [place.view, place.id]);
  const here = place.view === 'run' || place.view === 'package' ? 'runs' : place.view;
  return (
    <>
      <header>
        <a class="brand" href="#/inbox">Caseworker</a>
        <nav aria-label="Views">{VIEWS.map(([view, label]) => <a key={view} href={`#/${view}`} aria-current={view === here ? 'page' : undefined}>{label}</a>)}</nav>
        <p class="me"><span>{me.person.name}</span> <span class="quiet">{me.how === 'local' ? 'local user of this machine' : rolesOf(me)}</span></p>
      </header>
      <div class="said-line" role="status" aria-live="polite">
        {said ? <p class={said.kind}>{said.text} <button type="button" class="link" onClick={() => say(undefined)}>Close</button></p> : null}
      </div>
      <main><View place={place} /></main>
    </>
  );
}

function rolesOf({ grants }: Me): string {
  return [...new Set(grants.map(({ is }) => is))].join(', ') || 'no role here';
}

function View({ place: { view, id, query } }: { readonly place: Place }) {
  if (view === 'inbox') return <InboxView />;
  if (view === 'runs') return <RunsView query={query} />;
  if (view === 'start') return <StartView />;
  if (view === 'overview') return <OverviewView />;
  if (view === 'switches') return <SwitchesView />;
  if (view === 'run' && id) return <RunViewPage key={id} id={id} at={query.get('at') ?? undefined} />;
  if (view === 'package' && id) return <PackageView id={id} />;
  return <Notice title="There is no such view."><a href="#/inbox">To the inbox</a></Notice>;
}

function SignIn({ problem, onToken }: { readonly problem: string; readonly onToken: () => void }) {
  const [token, setToken] = useState('');
  return (
    <main class="sign-in">
      <h1>Sign in to Caseworker</h1>
      <p>{problem}</p>
      <Form button="Sign in" onSend={async () => { keepToken(token.trim()); onToken(); }}>
        <TextField label="Token" hint="(kept for this tab only)" value={token} onValue={setToken} lines={4} required />
      </Form>
      <p class="quiet">Behind a proxy that signs people in this page is not seen: the proxy sends the token.</p>
    </main>
  );
}
