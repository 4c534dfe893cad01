import { expect, test } from 'vitest';
import { parseJwtConfig } from '../../console/api/auth-config.ts';

const GOOD = { issuer: 'https://id.test/', audience: 'caseworker', jwksUrl: 'https://id.test/keys', roles: { staff: { is: 'viewer' } } };

test('the least that is needed is issuer, audience, keys and one role', () => {
  expect(parseJwtConfig(GOOD)).toMatchObject({ algorithms: ['RS256'], nameClaim: 'sub', rolesClaim: 'roles' });
});

test.each([
  ['no issuer', { issuer: '' }, /"issuer"/], ['no audience', { audience: undefined }, /"audience"/], ['keys over an open line', { jwksUrl: 'http://id.test/keys' }, /https/],
  ['keys from a file', { jwksUrl: 'file:///etc/keys' }, /https/], ['unsigned tokens', { algorithms: ['none'] }, /none is not/], ['a shared secret', { algorithms: ['HS256'] }, /HS256 is not/],
  ['no algorithm', { algorithms: [] }, /"algorithms"/], ['no role', { roles: {} }, /"roles"/], ['a role of no kind', { roles: { x: { is: 'admin' } } }, /viewer, approver, operator/],
  ['a limit without a currency', { roles: { x: { is: 'approver', upTo: { amount: '5' } } } }, /money such as/], ['a viewer with a limit', { roles: { x: { is: 'viewer', upTo: { amount: '5', currency: 'INR' } } } }, /approver/],
  ['a slip of the pen', { audiance: 'x' }, /unknown field "audiance"/], ['a slip in a role', { roles: { x: { is: 'approver', upto: {} } } }, /unknown field "upto"/],
])('%s is refused, with the field', (_what, change, message) => {
  expect(() => parseJwtConfig(JSON.parse(JSON.stringify({ ...GOOD, ...change })))).toThrow(message);
});
