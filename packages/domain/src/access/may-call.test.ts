import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, mayNotCall } from './may-call.ts'

const caller = (change: Partial<Caller> = {}): Caller => ({
  permissions: new Set(['ViewSite', 'EditSite']),
  isOperator: false,
  administersPartnerId: null,
  hiddenFeatures: new Set(),
  sandbox: false,
  impostor: null,
  apiKeyId: null,
  keyTier: null,
  ...change,
})
const read = { method: 'GET', permission: 'ViewSite' } as const
const write = { method: 'POST', permission: 'EditSite', audit: 'x' } as const

const CASES: [string, Parameters<typeof mayNotCall>[1], Partial<Caller>, boolean][] = [
  ['public', { method: 'POST', permission: 'public' }, { permissions: new Set() }, true],
  ['signed in', { method: 'GET', permission: 'signed-in' }, { permissions: new Set() }, true],
  ['for nodes', { method: 'GET', permission: 'node' }, {}, false],
  ['with the permission', read, {}, true],
  ['without it', { method: 'DELETE', permission: 'RemoveSite' }, {}, false],
  ["operator's", { method: 'GET', permission: 'operator' }, {}, false],
  ["operator's by the operator", { method: 'GET', permission: 'operator' }, { isOperator: true }, true],
  [
    'of a partner by its people',
    { method: 'GET', permission: 'operator', scope: 'partner' },
    { administersPartnerId: 'p' },
    true,
  ],
  [
    "of the installation by a partner's people",
    { method: 'GET', permission: 'operator', scope: 'installation' },
    { administersPartnerId: 'p' },
    false,
  ],
  ['hidden by the partner', { ...read, partnerFeature: 'billing' }, { hiddenFeatures: new Set(['billing']) }, false],
  [
    'hidden, though for everybody',
    { method: 'GET', permission: 'signed-in', partnerFeature: 'support' },
    { hiddenFeatures: new Set(['support']) },
    false,
  ],
  ['reading in the sandbox', read, { sandbox: true }, true],
  ['changing in the sandbox', write, { sandbox: true }, false],
  ['asking by POST in the sandbox', { method: 'POST', permission: 'ViewSite', audit: null }, { sandbox: true }, true],
  [
    "a person's own by who looks on",
    { method: 'PUT', permission: 'signed-in', personal: true },
    { impostor: 'op@example.com' },
    false,
  ],
  ["a person's own by a key", { method: 'GET', permission: 'signed-in', personal: true }, { apiKeyId: 'k' }, false],
  ['what lasts, by who looks on', { ...write, lasting: true }, { impostor: 'op@example.com' }, false],
  ['what lasts, by a key', { ...write, lasting: true }, { apiKeyId: 'k', keyTier: 2 }, true],
  [
    'only in a session, by a key',
    { method: 'GET', permission: 'signed-in', inSession: true },
    { apiKeyId: 'k' },
    false,
  ],
  [
    'only in a session, by who looks on',
    { method: 'GET', permission: 'signed-in', inSession: true },
    { impostor: 'op@example.com' },
    true,
  ],
  ["a change of everybody's by a key", { method: 'POST', permission: 'signed-in' }, { apiKeyId: 'k' }, false],
  ["a read of everybody's by a key", { method: 'GET', permission: 'signed-in' }, { apiKeyId: 'k' }, true],
  ['a granted change by a key', write, { apiKeyId: 'k', keyTier: 2 }, true],
  ['a granted change by a key that only reads', write, { apiKeyId: 'k', keyTier: 1 }, false],
  ['a granted removal by a key that writes', { ...write, method: 'DELETE' }, { apiKeyId: 'k', keyTier: 2 }, false],
  ['a granted removal by a key that deletes', { ...write, method: 'DELETE' }, { apiKeyId: 'k', keyTier: 3 }, true],
  ['what says its tier, by a key below it', { ...write, apiTier: 4 }, { apiKeyId: 'k', keyTier: 3 }, false],
  [
    'a question by POST, by a key that only reads',
    { ...read, method: 'POST', audit: null },
    { apiKeyId: 'k', keyTier: 1 },
    true,
  ],
  [
    'what a viewer may write, by a key that only reads',
    { ...read, method: 'POST', audit: 'x' },
    { apiKeyId: 'k', keyTier: 1 },
    false,
  ],
  ['a read by a key that may nothing any more', read, { apiKeyId: 'k', keyTier: 0 }, false],
]

for (const [name, route, change, may] of CASES)
  test(`${name}: ${may ? 'may' : 'may not'}`, () => assert.equal(mayNotCall(caller(change), route) === null, may))
