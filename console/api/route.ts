import type { Context } from 'hono';
import type { JsonObject } from '../../core/json.ts';
import type { Identity, Role } from './identity.ts';

interface RouteFacts {
  readonly method: 'GET' | 'POST';
  /** Parts that start with a colon are parameters. */
  readonly path: `/${string}`;
  readonly summary: string;
}

/** A part of the page itself: it holds no data, so that whoever is not signed in can be told to. */
export interface OpenRoute extends RouteFacts {
  readonly access: 'anyone';
  readonly handle: (context: Context) => Response | Promise<Response>;
}

export interface ApiRoute extends RouteFacts {
  readonly access: Role;
  /** JSON Schema of each parameter of the query. */
  readonly query?: Readonly<Record<string, JsonObject>>;
  /** JSON Schema of the body: what does not fit is refused with what is wrong. */
  readonly body?: JsonObject;
  /** What is answered; `events` are server-sent events. */
  readonly answers: { readonly type: 'json' | 'events'; readonly text: string; readonly status?: 200 | 201 };
  readonly handle: (call: RouteCall) => Response | Promise<Response>;
}

export type Route = OpenRoute | ApiRoute;

/** One request to a route, its body and query already checked. */
export interface RouteCall {
  readonly context: Context;
  readonly identity: Identity;
  readonly body: JsonObject;
  readonly query: Readonly<Record<string, string>>;
  param(name: string): string;
  /** Keeps the server's connection open for work that goes on after the answer has begun. */
  track<T>(work: Promise<T>): Promise<T>;
}
