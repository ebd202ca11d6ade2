import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sites } from '@fairway/contract'
import { type ApiUnderTest, startApiUnderTest } from './testing/api-under-test.ts'
import { workerMetrics } from './worker-metrics.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

test('certificates that were uploaded, removed or have expired hide none that will expire unless it is renewed', async () => {
  const client = await api.newClient()
  const { id: site } = (await client.call(sites.routes.create, { domainName: 'expiring.example' })).data
  const held = (days: number, more: { imported?: boolean; removed?: boolean; attempts?: number } = {}) =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, imported_at, removed_at, attempts)
         VALUES ($1, $2, 'single', '{expiring.example}', 'chain', date_trunc('day', now()) + make_interval(days => $3), $4, $5, $6)`,
        [
          client.organizationId,
          site,
          days,
          more.imported ? new Date() : null,
          more.removed ? new Date() : null,
          more.attempts ?? 0,
        ],
      ),
    )
  const metrics = workerMetrics(api.database)
  const figure = async (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(await metrics())?.[1])
  const failing = () => figure('fairway_worker_certificate_renewals_failing')
  assert.equal(await failing(), 0)
  await held(-3)
  await held(2, { imported: true })
  await held(4, { removed: true })
  await held(20)
  await held(40, { attempts: 2 })
  const earliest = await figure('fairway_worker_certificate_earliest_expiry_timestamp_seconds')
  assert.equal(Math.ceil((earliest * 1000 - Date.now()) / 86_400_000), 20)
  assert.equal(await failing(), 2)
})

test('parts of an import that rest are not late, and what has waited without a reason is', async () => {
  const figure = async () =>
    Number(/^fairway_worker_outbox_oldest_seconds(?:\{[^}]*\})? (\S+)$/m.exec(await workerMetrics(api.database)())?.[1])
  const waiting = (hasMore: boolean, seconds: number) =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO outbox (organization_id, kind, key, has_more, created_at, due_at) SELECT id, 'dns-zone', gen_random_uuid()::text, $1, now() - make_interval(secs => $2), now() + interval '1 hour' FROM organization LIMIT 1`,
        [hasMore, seconds],
      ),
    )
  await waiting(true, 150)
  assert.ok((await figure()) < 60)
  await waiting(false, 90)
  assert.ok((await figure()) >= 90)
})
