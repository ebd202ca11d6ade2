import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EdgePurges } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../testing/api-under-test.ts'
import { buildStreamPurges, streamSiteKey } from './stream-site.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

test('however many videos were removed, and however long ago, none comes back at the edge; its cache is emptied rarely', async () => {
  const { organizationId } = await api.newClient({ planId: 'enterprise' })
  const remove = (count: number, daysAgo: number) =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO stream_asset (organization_id, name, size, state, created_by, deleted_at) SELECT $1, n::text, 1, 'ready', 'x', now() - make_interval(days => $3) + make_interval(secs => n) FROM generate_series(1, $2) n`,
        [organizationId, count, daysAgo],
      ),
    )
  const marks = async () => {
    const built = await api.database.system((tx) => buildStreamPurges(tx, streamSiteKey(organizationId), api.config))
    assert.ok(built)
    return (built.body as EdgePurges).marks
  }
  const everything = async () => (await marks()).find(({ kind }) => kind === 'all')?.at
  await remove(1_000, 60)
  assert.equal((await marks()).length, 1_000)
  await remove(900, 2)
  const found = await marks()
  assert.ok(found.length <= 1_501, `${found.length}`)
  const removed = await api.database.system((tx) =>
    tx.query<{ id: string; at: number }>(
      'SELECT id, extract(epoch FROM deleted_at)::float8 * 1000 AS at FROM stream_asset WHERE organization_id = $1',
      [organizationId],
    ),
  )
  const stamps = new Map(found.map(({ value, at }) => [value, at]))
  for (const { id, at } of removed) {
    const stamp = Math.max(stamps.get(`/${id}/`) ?? 0, stamps.get('') ?? 0)
    assert.ok(stamp >= Math.floor(at), `${id}: ${stamp} of ${at}`)
  }
  const before = await everything()
  await remove(100, 1)
  assert.equal(await everything(), before)
  await remove(1, 1)
  assert.ok(((await everything()) ?? 0) > (before ?? Infinity))
})
