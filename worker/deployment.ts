import { SettingError } from './errors.ts';

export const DEPLOYMENT_VARIABLE = 'CASEWORKER_DEPLOYMENT';
export const BUILD_ID_VARIABLE = 'CASEWORKER_BUILD_ID';

/** Which build of which deployment a worker is, for Temporal's Worker Versioning. */
export interface Deployment {
  readonly name: string;
  readonly buildId: string;
}

/**
 * The deployment that the environment names: both variables or neither. Without one a worker is not versioned and takes
 * every run of its task queue.
 * @throws SettingError when one of the two is missing, or the name cannot be one.
 */
export function deploymentOf(env: NodeJS.ProcessEnv): Deployment | undefined {
  const name = env[DEPLOYMENT_VARIABLE] ?? '';
  const buildId = env[BUILD_ID_VARIABLE] ?? '';
  if (name === '' && buildId === '') return undefined;
  if (name === '' || buildId === '') {
    throw new SettingError(`${DEPLOYMENT_VARIABLE} and ${BUILD_ID_VARIABLE} belong together: set both, or neither.`);
  }
  // Temporal joins name and build id with a dot, and keeps "__" for itself.
  if (name.includes('.') || name.startsWith('__')) throw new SettingError(`"${name}" cannot be the name of a deployment: it may not have a dot in it, or begin with "__".`);
  return { name, buildId };
}
