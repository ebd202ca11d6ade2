import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERMISSIONS } from '@fairway/contract'
import { API_TIERS, LEVELS, RESOURCES, apiTierOf, permissionsOf, permissionsOfTier } from './roles.ts'

const list = (permissions: Set<string>) => [...permissions].sort()

test('levels of a resource map to its permissions', () => {
  assert.deepEqual(list(permissionsOf({ levels: {} })), [])
  assert.deepEqual(list(permissionsOf({ levels: { site: 'viewer' } })), ['ViewSite'])
  assert.deepEqual(list(permissionsOf({ levels: { site: 'editor' } })), [
    'AddSite',
    'EditSite',
    'ViewCdnKey',
    'ViewSite',
  ])
  assert.deepEqual(list(permissionsOf({ levels: { site: 'admin' } })), [
    'AddSite',
    'EditCdnKey',
    'EditSite',
    'RemoveSite',
    'ViewCdnKey',
    'ViewSite',
  ])
  assert.deepEqual(list(permissionsOf({ levels: { dem: 'editor', auditLog: 'viewer' } })), [
    'EditPerformancePolicy',
    'ViewAuditLog',
    'ViewPerformancePolicy',
  ])
})

test('each level holds those below it', () => {
  for (const resource of RESOURCES)
    for (const [index, level] of LEVELS.entries()) {
      const below = LEVELS[index - 1]
      if (below !== undefined)
        assert.ok(
          permissionsOf({ levels: { [resource]: level } }).isSupersetOf(
            permissionsOf({ levels: { [resource]: below } }),
          ),
        )
    }
})

test('the owner may do everything but what the operator does', () => {
  const all = PERMISSIONS.filter((one) => !['public', 'signed-in', 'node', 'operator'].includes(one))
  assert.deepEqual(list(permissionsOf({ owner: true })), all.toSorted())
})

test('a read-only organisation gives only what views', () => {
  assert.deepEqual(list(permissionsOf({ owner: true }, { readOnly: true })), [
    'ViewApiKey',
    'ViewAuditLog',
    'ViewCdnKey',
    'ViewPerformancePolicy',
    'ViewSite',
    'ViewSubscription',
    'ViewUser',
    'ViewWebhook',
  ])
})

test('an API key of tier 1 reads, 2 writes, 3 deletes, each with those below', () => {
  assert.deepEqual(list(permissionsOfTier(1)), ['ViewPerformancePolicy', 'ViewSite'])
  assert.ok(permissionsOfTier(2).has('EditSite') && !permissionsOfTier(2).has('RemoveSite'))
  for (const tier of API_TIERS) assert.ok(permissionsOfTier(tier).isSupersetOf(permissionsOfTier(1)))
  assert.ok(permissionsOfTier(4).has('RemoveSite'))
})

test('whoever has a tier handles their own keys; the tier itself gives nothing in the console', () => {
  assert.deepEqual(list(permissionsOf({ levels: {}, apiTier: 3 })), ['EditApiKey', 'ViewApiKey'])
  assert.deepEqual(
    [apiTierOf({ levels: {}, apiTier: 3 }), apiTierOf({ levels: {} }), apiTierOf({ owner: true })],
    [3, null, 4],
  )
})
