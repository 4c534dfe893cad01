import type { JsonObject } from '../../core/json.ts';
import type { ApiRoute, Route } from './route.ts';

const ERROR = {
  type: 'object', required: ['error'],
  properties: { error: { type: 'object', required: ['kind', 'message'], properties: { kind: { type: 'string' }, message: { type: 'string' } } } },
};

const FAILURES: Readonly<Record<string, string>> = {
  400: 'Something in the request is wrong; nothing was done.', 401: 'Nobody is signed in.', 403: 'Not allowed.', 404: 'There is none.',
  409: 'The run has ended, or the id is taken.', 413: 'The body is too large.', 415: 'The body is not JSON.', 503: 'The Temporal server does not answer.',
};

/** The OpenAPI 3.1 description of the routes: made from the table that serves them, so it cannot tell of others. */
export function openApi(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    if (route.access === 'anyone') continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Caseworker console', version, description: 'Everything that the operators\' page shows and does.' },
    paths,
    components: { schemas: { Error: ERROR }, securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    security: [{ token: [] }, {}],
  };
}

function operation({ summary, access, path, query = {}, body, answers }: ApiRoute): JsonObject {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    summary,
    description: `Needs the role ${access}.`,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
    ],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      [String(answers.status ?? 200)]: { description: answers.text, content: { [answers.type === 'events' ? 'text/event-stream' : 'application/json']: {} } },
      ...Object.fromEntries(Object.entries(FAILURES).map(([status, description]) => [status, {
        description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      }])),
    },
  };
}
