import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { auditLog, cdnManagement, managedCdnKeys, operatorArea } from '@fairway/contract'
import { CLOUDFLARE_VALUES, FASTLY_VALUES, startFakeCloudflare, startFakeFastly } from '@fairway/drivers/testing'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { create, list, remove, test: tryOut, update } = managedCdnKeys.routes
const started = new AsyncDisposableStack()
let api: ApiUnderTest
let operator: Client

before(async () => {
  const cloudflare = started.use(await startFakeCloudflare())
  const fastly = started.use(await startFakeFastly())
  cloudflare.mood.at = 'comply'
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-keys-'))
  started.defer(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'keys.json')
  fs.writeFileSync(file, JSON.stringify({ fastly: FASTLY_VALUES }))
  api = started.use(
    await startApiUnderTest({
      FAIRWAY_CDN_KEYS_FILE: file,
      FAIRWAY_CDN_API_URLS: `cloudflare=${cloudflare.url},fastly=${fastly.url}`,
    }),
  )
  started.use(startNodeUnderTest(api, 'dns'))
  started.use(startNodeUnderTest(api, 'edge'))
  operator = await api.newClient({ isOperator: true })
})
after(() => started.disposeAsync())

const offered = async (client: Client) =>
  (await client.call(cdnManagement.routes.platforms, { page_size: -1 })).data
    .map(({ id }) => id)
    .filter((id) => id === 'cloudflare' || id === 'fastly')

test('a key that the operator stores offers its CDN to everyone, serves with it, and is never shown again', async () => {
  const own = await newSteeredDomain(api)
  assert.deepEqual(await offered(own.client), ['fastly'])
  const wrong = await operator.refusal(create, {
    platform: 'cloudflare',
    values: { ...CLOUDFLARE_VALUES, token: 'short' },
  })
  assert.deepEqual([wrong.code, wrong.fields.map((field) => field.path)], [8491, ['values.token']])
  const made = await operator.call(create, { platform: 'cloudflare', values: CLOUDFLARE_VALUES })
  assert.deepEqual(
    [made.source, made.fields, made.secretsSet, made.testedAt],
    ['stored', { zoneId: CLOUDFLARE_VALUES.zoneId }, ['token'], null],
  )
  assert.equal((await operator.refusal(create, { platform: 'cloudflare', values: CLOUDFLARE_VALUES })).code, 8421)
  assert.deepEqual((await offered(own.client)).toSorted(), ['cloudflare', 'fastly'])
  assert.ok((await offered(await api.newClient())).includes('cloudflare'))

  await own.client.call(cdnManagement.routes.install, { site: own.site, domain: own.domain, cdnId: 'cloudflare' })
  await until(async () => {
    await api.database.system((tx) => tx.query('UPDATE domain_cdn SET next_attempt_at = now()'))
    return (
      (await own.client.call(cdnManagement.routes.list, { site: own.site, domain: own.domain })).data[0]?.state ===
      'operational'
    )
  })
  assert.equal((await operator.call(list, {})).data.find(({ platform }) => platform === 'cloudflare')?.domainCount, 1)
  assert.equal((await operator.refusal(remove, { platform: 'cloudflare' })).code, 8492)

  const told = JSON.stringify([
    await operator.call(list, {}),
    await operator.call(operatorArea.routes.audit, {}),
    await operator.call(auditLog.routes.list, {}),
  ])
  const rows = JSON.stringify(
    await api.database.system(async (tx) => [
      await tx.query('SELECT * FROM managed_vendor'),
      await tx.query('SELECT * FROM audit_log'),
    ]),
  )
  for (const text of [told, rows])
    assert.ok(!text.includes(CLOUDFLARE_VALUES.token) && !text.includes(FASTLY_VALUES.token))
})

test('a key is tested by a call at the vendor; changed it has to be tested again, and what is left out stays', async () => {
  const refused = await operator.call(tryOut, { platform: 'fastly' })
  assert.deepEqual(
    [refused.key.source, refused.key.testProblem, refused.problem !== null || refused.key.testedAt !== null],
    ['settings', refused.problem, true],
  )
  assert.equal((await operator.refusal(update, { platform: 'fastly', values: FASTLY_VALUES })).code, 404)
  await operator.call(tryOut, { platform: 'cloudflare' })
  assert.notEqual(
    (await operator.call(update, { platform: 'cloudflare', values: { zoneId: CLOUDFLARE_VALUES.zoneId } })).testedAt,
    null,
  )
  const zoneId = 'f'.repeat(32)
  const changed = await operator.call(update, { platform: 'cloudflare', values: { zoneId } })
  assert.deepEqual([changed.fields, changed.secretsSet, changed.testedAt], [{ zoneId }, ['token'], null])
  assert.equal((await operator.refusal(tryOut, { platform: 'akamai' })).code, 404)
})

test('removed, its CDN is offered no more; one that the settings hold a key for stays with that', async () => {
  await api.database.system((tx) => tx.query(`DELETE FROM domain_cdn WHERE cdn_id = 'cloudflare'`))
  await operator.call(remove, { platform: 'cloudflare' })
  assert.deepEqual(await offered(await api.newClient()), ['fastly'])
  assert.equal((await operator.call(create, { platform: 'fastly', values: FASTLY_VALUES })).source, 'stored')
  await operator.call(remove, { platform: 'fastly' })
  assert.deepEqual(
    (await operator.call(list, {})).data.map(({ platform, source }) => [platform, source]),
    [['fastly', 'settings']],
  )
})

test('nobody but the operator sees or changes them', async () => {
  const client = await api.newClient()
  for (const refusal of [
    client.refusal(list, {}),
    client.refusal(create, { platform: 'bunny', values: {} }),
    client.refusal(remove, { platform: 'fastly' }),
    client.refusal(tryOut, { platform: 'fastly' }),
  ])
    assert.equal((await refusal).code, 403)
})
