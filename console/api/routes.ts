import type { ServerAccess } from '../../client/server-access.ts';
import type { CaseworkerClient, StartRequest } from '../../client/types.ts';
import { runInputProblem } from '../../core/run-input-problem.ts';
import { ApiError } from './api-error.ts';
import { streamChanges } from './changes.ts';
import { openApi } from './openapi.ts';
import { createOverview } from './overview.ts';
import { createPresentCosts } from './present-costs.ts';
import type { ApiRoute, OpenRoute, Route, RouteCall } from './route.ts';
import { listFilter, pageOfRuns } from './run-pages.ts';
import type { RunFilter } from './run-pages.ts';
import { readRun, wholeObservation } from './run-view.ts';
import { LIST_QUERY, START_BODY } from './schemas.ts';
import { followRun } from './follow-run.ts';
import { switchRoutes } from './switch-routes.ts';
import { verbRoutes } from './verb-routes.ts';

export interface RouteSources {
  readonly client: CaseworkerClient;
  readonly access: ServerAccess;
  /** Agents that are known to be served; others may be too. */
  readonly agents: readonly string[];
  readonly webUiOf: (id: string) => string | undefined;
  readonly version: string;
}

const PAGE_ROWS = 50;
/** More than persons work off; the oldest come first. */
const INBOX_ENTRIES = 200;

/** Every route, with the role that it needs: what is not in here does not exist. */
export function routeTable(sources: RouteSources, page: readonly OpenRoute[]): readonly Route[] {
  const api = [...readRoutes(sources), ...runRoutes(sources), startRoute(sources), ...verbRoutes(sources.client), ...switchRoutes(sources.client)];
  const described: ApiRoute = {
    method: 'GET', path: '/api/openapi.json', access: 'viewer', summary: 'This description.',
    answers: { type: 'json', text: 'OpenAPI 3.1.' },
    handle: ({ context }) => context.json(openApi(routes, sources.version)),
  };
  const routes: readonly Route[] = [...page, ...api, described];
  return routes;
}

function readRoutes({ access, client, agents, version, webUiOf }: RouteSources): readonly ApiRoute[] {
  const overview = createOverview(access, client);
  const presentCosts = createPresentCosts(access, client);
  const inbox = async () => ({ entries: await client.inbox({ limit: INBOX_ENTRIES }) });
  const list = ({ query }: RouteCall) => pageOfRuns(access, filterOf(query), {
    limit: Number(query.limit ?? PAGE_ROWS), ...(query.page ? { token: query.page } : {}),
  });
  return [
    {
      method: 'GET', path: '/api/me', access: 'viewer', summary: 'Who is signed in, and what they may do.',
      answers: { type: 'json', text: 'The person, their grants, how the name was proven, and this console\'s version.' },
      handle: ({ context, identity }) => context.json({ ...identity, version, agents, webUi: webUiOf('')?.replace(/\/workflows\/.*$/, '/workflows') }),
    },
    {
      method: 'GET', path: '/api/inbox', access: 'viewer', summary: 'What waits for a person, oldest first.',
      answers: { type: 'json', text: '{entries}' },
      handle: async ({ context }) => context.json(await inbox()),
    },
    {
      method: 'GET', path: '/api/inbox/events', access: 'viewer', summary: 'The inbox, now and each time that it changes.',
      answers: { type: 'events', text: 'Events `inbox` with the whole inbox; `error` with the error shape.' },
      handle: (call) => streamChanges(call, { event: 'inbox', read: inbox }),
    },
    {
      method: 'GET', path: '/api/runs', access: 'viewer', summary: 'Runs: those that go on first, then by when they ended.', query: LIST_QUERY,
      answers: { type: 'json', text: '{runs, next, filter}: a page, how to ask for the one after it, and the list filter of Temporal that it is.' },
      handle: async (call) => call.context.json({ ...(await list(call)), filter: listFilter(filterOf(call.query)) }),
    },
    {
      method: 'GET', path: '/api/runs/events', access: 'viewer', summary: 'One page of runs, now and each time that it changes.', query: LIST_QUERY,
      answers: { type: 'events', text: 'Events `runs` with {runs, next, filter}; `error` with the error shape.' },
      handle: (call) => streamChanges(call, {
        event: 'runs', read: async () => ({ ...(await list(call)), filter: listFilter(filterOf(call.query)) }),
      }),
    },
    {
      method: 'GET', path: '/api/costs', access: 'viewer', summary: 'What the newest 20 running runs of a list have cost so far, as they say themselves; a list has it as of a run\'s last change of status.', query: LIST_QUERY,
      answers: { type: 'json', text: '{costs, atMs}: money by the run\'s id, without those that no worker answered for.' },
      handle: async ({ context, query }) => context.json(await presentCosts(filterOf(query))),
    },
    {
      method: 'GET', path: '/api/overview', access: 'viewer', summary: 'How runs end and what they cost, over the latest of them.',
      answers: { type: 'json', text: 'Counts by agent and day, and figures over the runs that were read whole.' },
      handle: async ({ context }) => context.json(await overview()),
    },
  ];
}

function runRoutes(sources: RouteSources): readonly ApiRoute[] {
  const { client, access } = sources;
  return [
    {
      method: 'GET', path: '/api/runs/:id', access: 'viewer', summary: 'One run: how it stands, its trace, what persons did that is not in it yet, and the evidence of its held calls.',
      answers: { type: 'json', text: '{summary, progress, result, trace, unread, evidence, effects, webUi, noWorker}' },
      handle: async ({ context, param }) => context.json(await readRun(sources, param('id'))),
    },
    {
      method: 'GET', path: '/api/runs/:id/trace', access: 'viewer', summary: 'The trace of a run.',
      answers: { type: 'json', text: '{id, entries, firstRunId, task}' },
      handle: async ({ context, param }) => context.json(await client.trace(param('id'))),
    },
    {
      method: 'GET', path: '/api/runs/:id/trace/events', access: 'viewer', summary: 'The trace while it happens, and how the run stands.',
      answers: { type: 'events', text: 'Events `entry` with an entry of the trace, `progress` with how the run stands, `unread` with what persons did that the trace does not have yet, `end` when nothing more comes.' },
      handle: (call) => followRun(call, sources, call.param('id')),
    },
    {
      method: 'GET', path: '/api/runs/:id/effects', access: 'viewer', summary: 'What a run changed in the world.',
      answers: { type: 'json', text: '{id, effects, missing}' },
      handle: async ({ context, param }) => context.json(await client.effects(param('id'))),
    },
    {
      method: 'GET', path: '/api/runs/:id/observations/:call', access: 'viewer', summary: 'The whole of an observation that the trace cuts.',
      answers: { type: 'json', text: '{call, text}' },
      handle: async ({ context, param }) => context.json(await wholeObservation({ client, blobs: access.blobs }, param('id'), param('call'))),
    },
  ];
}

function startRoute({ client }: RouteSources): ApiRoute {
  return {
    method: 'POST', path: '/api/runs', access: 'operator', summary: 'Starts a run; the same id a second time is refused.', body: START_BODY,
    answers: { type: 'json', text: '{id, firstRunId}', status: 201 },
    handle: async ({ context, identity, body }) => {
      const request = { ...body, requestedBy: identity.person };
      if (!isStartRequest(request)) throw new ApiError('usage', runInputProblem(request) ?? 'This is no run that can be started.');
      return context.json(await client.start(request), 201);
    },
  };
}

/** The body has its shape from the schema; what is in it the client checks again. */
function isStartRequest(value: object): value is StartRequest {
  return 'agent' in value && typeof value.agent === 'string' && 'task' in value && typeof value.task === 'string';
}

function filterOf({ agent, status, endReason, requestedBy, since, until, costFrom, costTo, currency, query }: Readonly<Record<string, string>>): RunFilter {
  const given = Object.entries({ agent, status, endReason, requestedBy, since, until, costFrom, costTo, currency, query }).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given);
}
