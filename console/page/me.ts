import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { has } from '../api/identity.ts';
import type { Identity, Role } from '../api/identity.ts';

/** Who looks at the page, and what the console knows of itself. */
export interface Me extends Identity {
  readonly version: string;
  readonly agents: readonly string[];
  readonly webUi?: string;
}

const NOBODY: Me = { person: { name: '', verified: false }, grants: [], how: 'token', version: '', agents: [] };
export const MeContext = createContext<Me>(NOBODY);

export function useMe(): Me {
  return useContext(MeContext);
}

/** Only what is of use is offered; whether it is allowed the server says. */
export function useMay(role: Role): boolean {
  return has(useMe(), role);
}
