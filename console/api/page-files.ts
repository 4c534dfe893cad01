import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { OpenRoute } from './route.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml',
};

/**
 * A route for each file of the built page, read once: no path of a request ever reaches the file system. Files in
 * `assets/` have their content's hash in their name, so they are kept for ever.
 */
export async function pageRoutes(dir: string): Promise<readonly OpenRoute[]> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const routes = files.filter((file) => file.isFile() && TYPES[extname(file.name)] !== undefined).map(async (file): Promise<OpenRoute> => {
    const full = join(file.parentPath, file.name);
    const path = full.slice(dir.length).replaceAll('\\', '/').replace(/^\/*/, '/') as `/${string}`;
    const text = await readFile(full, 'utf8');
    const headers = {
      'Content-Type': TYPES[extname(file.name)] ?? '',
      'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    return {
      method: 'GET', path: path === '/index.html' ? '/' : path, access: 'anyone', summary: 'A part of the page.',
      handle: (context) => context.body(text, 200, headers),
    };
  });
  return Promise.all(routes);
}
