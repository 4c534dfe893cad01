import { SettingError } from './errors.ts';

export const PACE_VARIABLE = 'CASEWORKER_ACTIVITIES_PER_SECOND';

/**
 * Model calls and tool calls that all workers of a task queue may start a second, together: the server holds the others
 * back, so a provider's quota is kept however many workers there are. Reads within the workflow task do not count.
 * @throws SettingError when it is no number above 0.
 */
export function paceOf(env: NodeJS.ProcessEnv): number | undefined {
  const text = env[PACE_VARIABLE] ?? '';
  if (text === '') return undefined;
  const pace = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (pace > 0) return pace;
  throw new SettingError(`${PACE_VARIABLE} is "${text.slice(0, 40)}": use a number above 0, e.g. 5 or 0.5.`);
}
