import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import { accessServer } from '../../client/server-access.ts';
import { ROLES } from '../../console/api/identity.ts';
import { openApi } from '../../console/api/openapi.ts';
import type { ApiRoute, Route } from '../../console/api/route.ts';
import { routeTable } from '../../console/api/routes.ts';
import { serveConsole } from '../../console/api/serve-console.ts';
import type { Auth, RunningConsole } from '../../console/api/serve-console.ts';
import { pageDir } from '../../console/build-page.ts';
import { VERBS } from '../../core/verbs.ts';
import type { ClientOptions } from '../../client/server-access.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { openIssuer } from './issuer.ts';
import type { Issuer } from './issuer.ts';

let server: ClientOptions;
let issuer: Issuer;
let signedIn: RunningConsole;
let local: RunningConsole;
let routes: readonly Route[];
const log = (error: unknown): never => { throw error; };

async function serve(auth: Auth, host = '127.0.0.1'): Promise<RunningConsole> {
  return serveConsole({ server, auth, host, port: 0, pageDir: await pageDir(() => undefined), agents: [], webUiOf: () => undefined, version: 'test', log });
}

beforeAll(async () => {
  const { connection, namespace } = await testServer();
  server = { connection, namespace, taskQueue: uniqueTaskQueue(), blobs: createFileBlobStore(temporaryDataDir()) };
  await registerSearchAttributes({ connection, namespace });
  routes = routeTable({ client: createClient(server), access: accessServer(server), agents: [], webUiOf: () => undefined, version: 'test' }, []);
  issuer = await openIssuer({ staff: { is: 'viewer' }, leads: { is: 'approver' }, ops: { is: 'operator' } });
  signedIn = await serve({ kind: 'token', config: issuer.config });
  local = await serve({ kind: 'local', name: 'asha' });
});
afterAll(async () => {
  await signedIn.close();
  await local.close();
  await issuer.close();
});

const apiRoutes = (): readonly ApiRoute[] => routes.filter((route): route is ApiRoute => route.access !== 'anyone');
const addressOf = ({ path }: Route): string => path.replace(':id', 'no-such-run').replace(':call', '1.1');

/** The status alone: a stream is not waited for. */
async function statusOf(base: string, route: Route, { headers = {}, body = '{}' }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {}): Promise<number> {
  const left = new AbortController();
  const response = await fetch(`${base}${addressOf(route)}`, {
    method: route.method, signal: left.signal, headers: { 'content-type': 'application/json', ...headers }, ...(route.method === 'POST' ? { body } : {}),
  });
  left.abort();
  return response.status;
}

const ROLE_OF = { viewer: 'staff', approver: 'leads', operator: 'ops' } as const;

describe('who may', { timeout: 120_000 }, () => {
  test('every route lets in those roles that its table names, and nobody else', async () => {
    const wrong: string[] = [];
    await Promise.all(apiRoutes().map(async (route) => {
      for (const role of ROLES) {
        const may = ROLES.indexOf(role) >= ROLES.indexOf(route.access);
        const status = await statusOf(signedIn.url, route, { headers: { authorization: `Bearer ${await issuer.token('meera', [ROLE_OF[role]])}` } });
        if (may === (status === 401 || status === 403)) wrong.push(`${role} ${route.method} ${route.path}: ${status}`);
      }
    }));
    expect(wrong).toEqual([]);
  });

  test('nobody without a good token, whatever is wrong with it', async () => {
    const good = await issuer.token('meera', ['ops']);
    const [, payload] = good.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = {
      absent: '', 'not a token': 'Bearer abc', 'another scheme': `Basic ${good}`, unsigned: `Bearer ${none}.${payload}.`,
      'cut off': `Bearer ${good.slice(0, -4)}`, forged: `Bearer ${await issuer.token('meera', ['ops'], { forged: true })}`,
      expired: `Bearer ${await issuer.token('meera', ['ops'], { expires: 1 })}`, endless: `Bearer ${await issuer.token('meera', ['ops'], { expires: null })}`,
      'of another issuer': `Bearer ${await issuer.token('meera', ['ops'], { issuer: 'https://else.test/' })}`,
      'for somebody else': `Bearer ${await issuer.token('meera', ['ops'], { audience: 'billing' })}`, nameless: `Bearer ${await issuer.token('', ['ops'])}`,
    };
    const wrong: string[] = [];
    await Promise.all(apiRoutes().map(async (route) => {
      for (const [what, authorization] of Object.entries(tokens)) {
        const status = await statusOf(signedIn.url, route, { headers: authorization === '' ? {} : { authorization } });
        if (status !== 401) wrong.push(`${what} ${route.method} ${route.path}: ${status}`);
      }
    }));
    expect(wrong).toEqual([]);
  });

  test('a role that is not configured is none, and the person\'s name and known roles are the token\'s', async () => {
    const get = async (roles: readonly string[]) => fetch(`${signedIn.url}/api/me`, { headers: { authorization: `Bearer ${await issuer.token('meera', roles)}` } });
    expect((await get(['admin'])).status).toBe(403);
    expect(await (await get(['admin', 'leads'])).json()).toMatchObject({ person: { name: 'meera', verified: true, roles: ['leads'] }, grants: [{ is: 'approver' }], how: 'token' });
  });

  test('on this machine alone its user is let in, named as such; elsewhere nobody is without sign-in', async () => {
    expect(await (await fetch(`${local.url}/api/me`)).json()).toMatchObject({ person: { name: 'asha', verified: true }, how: 'local' });
    await expect(serve({ kind: 'local', name: 'asha' }, '0.0.0.0')).rejects.toThrow(/needs sign-in/);
  });

  test('what is not in the table does not exist', async () => {
    for (const path of ['/api', '/api/', '/api/runs/x/terminate', '/api/../package.json', '/assets/../../package.json', '/.env', '/index.html.bak']) {
      expect((await fetch(`${local.url}${path}`)).status, path).toBe(404);
    }
    expect((await fetch(`${local.url}/api/runs`, { method: 'DELETE', headers: { 'content-type': 'application/json' } })).status).toBe(404);
    expect((await fetch(`${local.url}/api/runs`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })).status).toBe(404);
  });

  test('every verb of a run has its route, and the description tells of exactly the routes that there are', () => {
    const paths = routes.map(({ method, path }) => `${method} ${path}`);
    expect(paths).toEqual(expect.arrayContaining(VERBS.map((verb) => `POST /api/runs/:id/${verb}`)));
    const { paths: described } = JSON.parse(JSON.stringify(openApi(routes, '1'))) as { readonly paths: Readonly<Record<string, object>> };
    const told = Object.entries(described).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`));
    expect([...told].sort()).toEqual([...paths].sort());
  });
});

describe('requests of other sites', () => {
  const start: Route = { method: 'POST', path: '/api/runs', access: 'anyone', summary: '', handle: () => new Response() };
  const read: Route = { ...start, method: 'GET', path: '/api/me' };
  const body = '{"agent":"desk","task":"x"}';

  test.each([
    ['a foreign origin', { origin: 'https://evil.test' }],
    ['an origin on another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused, to read and to write', async (_what, headers) => {
    expect(await statusOf(local.url, start, { headers, body })).toBe(403);
    expect(await statusOf(local.url, read, { headers })).toBe(403);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])('a body of type %s is refused: a form could send it', async (type) => {
    expect(await statusOf(local.url, start, { headers: { 'content-type': type }, body })).toBe(415);
  });

  test('a name of somebody else\'s that points at this machine is refused', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      request(`${local.url}/api/me`, { headers: { host: 'evil.test' } }, (response) => resolve(response.statusCode)).on('error', reject).end();
    });
    expect(status).toBe(403);
  });

  test('nothing of the page can be framed, and nothing that is not its own can run in it', async () => {
    for (const path of ['/', '/api/me', '/api/nothing']) {
      const { headers } = await fetch(`${local.url}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    }
    const html = await (await fetch(local.url)).text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|<style/i);
  });
});

describe('malformed bodies', { timeout: 120_000 }, () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const BODIES: Readonly<Record<string, string>> = {
    'no JSON': '{"agent":', empty: '', null: 'null', 'a list': '[]', 'a text': '"x"', 'a number': '1', 'an unknown field': '{"nope":1}', 'somebody else\'s name': '{"by":{"name":"x","verified":true}}',
    'wrong types': '{"agent":1,"task":[],"call":{},"argsHash":7,"reason":[],"text":1,"args":"x","outcome":"x","tool":1,"note":1,"goal":1,"limits":1,"answer":1,"done":"x","add":1,"off":1,"fields":1,"constraints":1,"now":1,"id":1}',
    deep, 'a prototype': '{"__proto__":{"verified":true},"constructor":1}', 'not UTF-8': '\ud800',
    large: JSON.stringify({ agent: 'a', task: 'x'.repeat(600_000) }),
  };

  test('each is a 4xx with the one shape of an error, on every route that takes a body', async () => {
    const wrong: string[] = [];
    await Promise.all(apiRoutes().filter(({ method }) => method === 'POST').map(async (route) => {
      for (const [what, body] of Object.entries(BODIES)) {
        const response = await fetch(`${local.url}${addressOf(route)}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        const answer: unknown = await response.json();
        const isShape = typeof answer === 'object' && answer !== null && Object.keys(answer).join() === 'error';
        if (response.status < 400 || response.status >= 500 || !isShape) wrong.push(`${what} ${route.path}: ${response.status} ${JSON.stringify(answer).slice(0, 100)}`);
      }
    }));
    expect(wrong).toEqual([]);
  });

  test.each(['costFrom=1e5', 'costFrom=-1', `costTo=${encodeURIComponent('1 OR 1 = 1')}`, 'currency=inr', 'limit=0', 'limit=x', 'limit=9999', 'since=yesterday', 'endReason=tired', 'nope=1', 'page=%3C', 'page=AAAA', 'query=StartTime%20%3E', `agent=${encodeURIComponent('"')}&query=%22`])('a list asked for with %s is a 4xx', async (query) => {
    const { status } = await fetch(`${local.url}/api/runs?${query}`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test('a filter is text to the server, whatever signs are in it', async () => {
    const odd = encodeURIComponent('x" OR WorkflowType = "agentRun');
    expect(await (await fetch(`${local.url}/api/runs?agent=${odd}`)).json()).toMatchObject({ runs: [] });
  });
});
