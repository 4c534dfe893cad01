import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { isPerson } from '../../core/payload-problem.ts';
import { ApiError } from './api-error.ts';
import type { JwtConfig } from './auth-config.ts';
import type { Grant, Identity } from './identity.ts';

/** Tells who asks, from the request's Authorization header. @throws ApiError when that is nobody. */
export type SignIn = (authorization: string | undefined) => Promise<Identity>;

/** Whoever reaches a port of this machine's own is its user, who may do all of this on the command line too. */
export function localSignIn(name: string, roles: readonly string[] = []): SignIn {
  const identity: Identity = {
    person: { name, verified: true, ...(roles.length > 0 ? { roles } : {}) }, grants: [{ is: 'operator' }], how: 'local',
  };
  return () => Promise.resolve(identity);
}

/** Clocks of two machines differ by this much at most. */
const CLOCK_SECONDS = 30;

export function tokenSignIn(config: JwtConfig): SignIn {
  const keys = createRemoteJWKSet(new URL(config.jwksUrl));
  const { issuer, audience, algorithms } = config;
  return async (authorization) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new ApiError('not_signed_in', 'Sign in: a token of the identity provider is needed.');
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer, audience, algorithms: [...algorithms], requiredClaims: ['exp'], clockTolerance: CLOCK_SECONDS,
      });
      return identityOf(payload, config);
    } catch (error) {
      throw tokenProblem(error);
    }
  };
}

function tokenProblem(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof errors.JWTExpired) return new ApiError('not_signed_in', 'The token has expired: sign in again.', { cause: error });
  const isToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC';
  return isToken
    ? new ApiError('not_signed_in', 'The token is none that is accepted here: sign in again.', { cause: error })
    : new ApiError('unreachable', 'The keys of the identity provider cannot be fetched, so nobody can be let in.', { cause: error });
}

function identityOf(payload: JWTPayload, { nameClaim, rolesClaim, roles }: JwtConfig): Identity {
  const name = payload[nameClaim];
  const own = claimAt(payload, rolesClaim);
  const names = (Array.isArray(own) ? own : typeof own === 'string' ? own.split(/[\s,]+/) : []).filter((role) => typeof role === 'string');
  // Only roles that are configured count, here and in the run: groups of other programs are nobody's business.
  const known = names.filter((role) => Object.hasOwn(roles, role));
  const person = { name: typeof name === 'string' ? name : '', verified: true, roles: known };
  if (!isPerson(person)) throw new ApiError('not_signed_in', `The token names nobody: it has no claim "${nameClaim}".`);
  const grants = known.map((role) => roles[role]).filter((grant): grant is Grant => grant !== undefined);
  return { person, grants, how: 'token' };
}

function claimAt(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  return path.split('.').reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Object.entries(value).find(([key]) => key === part)?.[1] : undefined;
  }, payload);
}
