import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey } from 'jose';
import type { JwtConfig } from '../../console/api/auth-config.ts';

/** An identity provider: its keys over HTTP, and tokens that it signs. */
export interface Issuer {
  readonly config: JwtConfig;
  token(name: string, roles: readonly string[], changes?: TokenChanges): Promise<string>;
  close(): Promise<void>;
}

export interface TokenChanges {
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string | number | null;
  /** Signed with a key that the provider does not publish. */
  readonly forged?: boolean;
}

const ISSUER = 'https://id.test/';
const AUDIENCE = 'caseworker';

export async function openIssuer(roles: JwtConfig['roles']): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const other = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    config: { issuer: ISSUER, audience: AUDIENCE, jwksUrl: `http://127.0.0.1:${port}/keys`, algorithms: ['ES256'], nameClaim: 'email', rolesClaim: 'realm.roles', roles },
    token: (name, own, changes = {}) => signed(changes.forged ? other.privateKey : privateKey, { email: name, realm: { roles: own } }, changes),
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    }),
  };
}

function signed(key: CryptoKey, claims: Record<string, unknown>, { issuer = ISSUER, audience = AUDIENCE, expires = '5m' }: TokenChanges): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).setIssuer(issuer).setAudience(audience).setIssuedAt();
  return (expires === null ? token : token.setExpirationTime(expires)).sign(key);
}
