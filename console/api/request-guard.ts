import type { Context } from 'hono';
import { ApiError } from './api-error.ts';

const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** What a page of another site could make a browser send is refused before anything is read of it. */
export function refuseCrossSite(context: Context, { onlyLoopback }: { readonly onlyLoopback: boolean }): void {
  const { req } = context;
  const host = req.header('host') ?? '';
  // A name that somebody else's DNS points here would make their page same-origin with this one.
  if (onlyLoopback && !LOOPBACK_NAMES.includes(hostName(host))) {
    throw new ApiError('cross_site', `This console answers as ${LOOPBACK_NAMES.join(', ')} only, not as "${host.slice(0, 100)}".`);
  }
  if (!isApi(req.path)) return;
  const origin = req.header('origin');
  if (origin !== undefined && originHost(origin) !== host.toLowerCase()) throw new ApiError('cross_site', 'Requests of other sites are refused.');
  const site = req.header('sec-fetch-site');
  // A person who types the address of an API page sends `none`; nothing that changes anything comes that way.
  const allowed = req.method === 'GET' ? ['same-origin', 'none'] : ['same-origin'];
  if (site !== undefined && !allowed.includes(site)) throw new ApiError('cross_site', 'Requests of other sites are refused.');
  if (req.method !== 'GET' && !isJson(req.header('content-type'))) {
    throw new ApiError('not_json', 'The body must be JSON, with the header Content-Type: application/json.');
  }
}

export function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** A form of another site can send three content types, and this is none of them. */
function isJson(contentType: string | undefined): boolean {
  return /^application\/json *(?:;|$)/i.test(contentType ?? '');
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
