import { UsageError } from '../../client/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { nano } from '../../core/money.ts';
import { ROLES } from './identity.ts';
import type { Grant } from './identity.ts';

/** Tokens of one issuer, and what its roles may do here (docs/console.md). */
export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly algorithms: readonly string[];
  /** Claim that names the person. */
  readonly nameClaim: string;
  /** Claim that lists the person's roles; a dot goes one level down. */
  readonly rolesClaim: string;
  readonly roles: Readonly<Record<string, Grant>>;
}

/** Signatures that only the issuer can make: a shared secret would let whoever checks tokens write them too. */
const ALGORITHMS: readonly string[] = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const FIELDS = ['issuer', 'audience', 'jwksUrl', 'algorithms', 'nameClaim', 'rolesClaim', 'roles'];
const GRANT_FIELDS = ['is', 'tools', 'upTo'];

/** Reads the configuration of tokens. @throws UsageError that names the field and what it must be. */
export function parseJwtConfig(value: unknown): JwtConfig {
  if (!isJsonObject(value)) throw new UsageError('The configuration of sign-in must be an object (docs/console.md).');
  refuseUnknown(value, FIELDS, 'The configuration of sign-in');
  const { algorithms = ['RS256'], roles } = value;
  if (!isTexts(algorithms) || algorithms.length === 0) throw wrong('algorithms', 'a list of names');
  const odd = algorithms.find((name) => !ALGORITHMS.includes(name));
  if (odd !== undefined) throw wrong('algorithms', `among ${ALGORITHMS.join(', ')}, which ${odd} is not`);
  if (!isJsonObject(roles) || Object.keys(roles).length === 0) throw wrong('roles', 'an object: what each role may do');
  return {
    issuer: text(value, 'issuer'),
    audience: text(value, 'audience'),
    jwksUrl: keysAddress(text(value, 'jwksUrl')),
    algorithms,
    nameClaim: text(value, 'nameClaim', 'sub'),
    rolesClaim: text(value, 'rolesClaim', 'roles'),
    roles: Object.fromEntries(Object.entries(roles).map(([name, grant]) => [name, parseGrant(name, grant)])),
  };
}

function parseGrant(name: string, value: JsonValue): Grant {
  const at = `roles.${name}`;
  if (!isJsonObject(value)) throw wrong(at, 'an object such as {"is": "viewer"}');
  refuseUnknown(value, GRANT_FIELDS, at);
  const { tools, upTo } = value;
  const is = ROLES.find((role) => role === value.is);
  if (!is) throw wrong(`${at}.is`, ROLES.join(', '));
  if ((tools !== undefined || upTo !== undefined) && is !== 'approver') throw wrong(at, 'an approver, to have tools or a limit');
  if (tools !== undefined && !isTexts(tools)) throw wrong(`${at}.tools`, 'a list of names of tools');
  return { is, ...(tools === undefined ? {} : { tools }), ...(upTo === undefined ? {} : { upTo: parseMoney(`${at}.upTo`, upTo) }) };
}

function parseMoney(at: string, value: JsonValue): NonNullable<Grant['upTo']> {
  const { amount, currency } = isJsonObject(value) ? value : { amount: null, currency: null };
  if (typeof amount !== 'string' || nano(amount) === undefined || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw wrong(at, 'money such as {"amount": "2000", "currency": "INR"}');
  }
  return { amount, currency };
}

/** Keys that came over an open line would prove nothing. */
function keysAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isOwn)) throw wrong('jwksUrl', 'an https address');
  return address;
}

function text(value: JsonObject, field: string, otherwise?: string): string {
  const found = value[field] ?? otherwise;
  if (typeof found !== 'string' || found === '') throw wrong(field, 'a text');
  return found;
}

function isTexts(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function refuseUnknown(value: JsonObject, known: readonly string[], where: string): void {
  const odd = Object.keys(value).find((field) => !known.includes(field));
  if (odd !== undefined) throw new UsageError(`${where} has the unknown field "${odd}"; there are: ${known.join(', ')}.`);
}

function wrong(field: string, must: string): UsageError {
  return new UsageError(`The configuration of sign-in: "${field}" must be ${must}.`);
}
