import { sep } from 'node:path';
import type { BundleOptions } from '@temporalio/worker';

type WebpackHook = NonNullable<BundleOptions['webpackConfigHook']>;
/** The part of webpack's ExternalItemFunctionData that is read. */
interface ExternalRequest {
  readonly request?: string;
  readonly contextInfo?: { readonly issuer: string };
}

/** What workflow code may import beside files of its own. */
const SANDBOX_PACKAGES: readonly string[] = ['@temporalio/common', '@temporalio/workflow'];

/**
 * Notes what workflow code imports that must not be in its sandbox. Temporal refuses Node's modules by itself; a
 * package such as zod would go in unseen, grow each bundle by a megabyte and break the replay of running workflows
 * when it is updated.
 */
export function guardImports(folders: readonly string[]): { readonly hook: WebpackHook; readonly found: ReadonlySet<string> } {
  const found = new Set<string>();
  const note = (request: string | undefined, issuer: string | undefined): void => {
    if (request === undefined || issuer === undefined || !isPackage(request)) return;
    const ours = folders.some((folder) => issuer.startsWith(folder + sep));
    if (ours && !SANDBOX_PACKAGES.includes(packageOf(request))) found.add(`${request} (in ${issuer})`);
  };
  const hook: WebpackHook = (config) => ({
    ...config,
    externals: [
      ...(Array.isArray(config.externals) ? config.externals : [config.externals ?? {}]),
      ({ request, contextInfo }: ExternalRequest) => {
        note(request, contextInfo?.issuer);
        return Promise.resolve(undefined);
      },
    ],
  });
  return { hook, found };
}

function isPackage(request: string): boolean {
  return !request.startsWith('.') && !request.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(request) && !request.startsWith('__temporal');
}

function packageOf(request: string): string {
  const parts = request.split('/');
  return request.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? request);
}
