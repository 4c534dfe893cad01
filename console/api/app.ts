import { Hono } from 'hono';
import type { Context, Handler } from 'hono';
import { ApiError, answerOf } from './api-error.ts';
import type { Busy } from './busy.ts';
import { checkBody, checkQuery } from './check-input.ts';
import { readJson } from './read-json.ts';
import type { Identity } from './identity.ts';
import { has } from './identity.ts';
import { refuseCrossSite } from './request-guard.ts';
import type { ApiRoute, Route } from './route.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import type { SignIn } from './sign-in.ts';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly signIn: SignIn;
  /** Only names of this machine are answered: nobody has to sign in there. */
  readonly onlyLoopback: boolean;
  readonly busy: Busy;
  /** Told what was not foreseen. */
  readonly log: (error: unknown) => void;
}

/** The HTTP side of a table of routes: what is not in the table does not exist. */
export function createApp({ routes, signIn, onlyLoopback, busy, log }: AppOptions): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
    refuseCrossSite(context, { onlyLoopback });
    await next();
  });
  for (const route of routes) app.on(route.method, route.path, route.access === 'anyone' ? route.handle : handlerOf(route, { signIn, busy }));
  app.notFound((context) => refused(context, new ApiError('no_route', 'There is nothing here.')));
  app.onError((error, context) => {
    if (answerOf(error).status === 500) log(error);
    return refused(context, error);
  });
  return app;
}

/** Who it is and whether they may comes first: a stranger learns nothing from what their body is told. */
function handlerOf(route: ApiRoute, { signIn, busy }: Pick<AppOptions, 'signIn' | 'busy'>): Handler {
  const bodyOf = route.body ? checkBody(route.body) : undefined;
  const queryOf = checkQuery(route.query ?? {});
  return async (context) => {
    const identity = await signIn(context.req.header('authorization'));
    refuseWithout(identity, route);
    context.header('Cache-Control', 'no-store');
    const query = queryOf({ ...context.req.query() });
    const body = bodyOf ? bodyOf(await readJson(context.req.raw)) : {};
    const answer = async () => route.handle({
      context, identity, body, track: busy.track,
      query: Object.fromEntries(Object.keys(query).map((name) => [name, context.req.query(name) ?? ''])),
      param: (name) => context.req.param(name) ?? '',
    });
    return busy.track(answer());
  };
}

function refuseWithout(identity: Identity, { access }: ApiRoute): void {
  if (has(identity, access)) return;
  throw new ApiError('not_allowed', `${identity.person.name} is signed in, but this needs the role ${access}.`);
}

function refused(context: Context, error: unknown): Response {
  const { status, body } = answerOf(error);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
  context.header('Cache-Control', 'no-store');
  if (status === 401) context.header('WWW-Authenticate', 'Bearer');
  return context.json(body, status);
}
