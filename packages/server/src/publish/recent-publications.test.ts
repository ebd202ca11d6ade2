import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApiUnderTest, type ApiUnderTest } from '../testing/api-under-test.ts'
import { publish, withdraw } from './publication.ts'
import { RecentPublications, missed, newestRevision } from './recent-publications.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const DNS = { kinds: new Set(['dns-zone', 'probe-targets']), patches: true }
const ALL = { kinds: new Set(['dns-zone', 'probe-targets', 'outside-feeds', 'scores']), patches: false }

/** The worker of this installation publishes, too. */
const own = (texts: (string | null)[]) =>
  texts
    .map((text) => JSON.parse(text ?? '{"key":"too large"}') as { key: string })
    .filter(({ key }) => key.startsWith('recent-'))

/** One after the other, some of them again and again, some withdrawn, of kinds that not everybody follows. */
function publishOne(at: number): Promise<void> {
  const key = `recent-${at % 7}`
  return api.database.system(async (tx) => {
    if (at % 11 === 0) return void (await withdraw(tx, 'probe-targets', key))
    const kind = at % 5 === 0 ? ('outside-feeds' as const) : ('probe-targets' as const)
    const body =
      kind === 'outside-feeds'
        ? { organizationId: key, version: at + 1, cdnIds: [], feeds: [] }
        : { organizationId: key, version: at + 1, targets: [] }
    await publish(tx, { kind, key, version: at + 1, organizationId: null, body })
  })
}

test('whoever is up to date is sent what the database would have sent, whatever is kept of it', async () => {
  const begin = await api.database.system(newestRevision)
  const roomy = new RecentPublications(begin)
  const narrow = new RecentPublications(begin, 1_800)
  let compared = 0
  for (let at = 0; at < 120; at++) {
    await publishOne(at)
    if (at % 3 === 0) continue
    await api.database.system(async (tx) => {
      for (const recent of [roomy, narrow]) while (await recent.read(tx));
      for (const [recent, cursor, followed] of [
        [roomy, begin, DNS],
        [roomy, roomy.until - 5, ALL],
        [narrow, narrow.until - 3, DNS],
        [narrow, narrow.until - 1, ALL],
      ] as const) {
        if (!recent.reaches(cursor)) continue
        const kept = recent.after(cursor, followed).map(({ json }) => json)
        const stored = (await missed(tx, cursor, followed)).map(({ json }) => json)
        assert.deepEqual(own(kept), own(stored))
        compared++
      }
    })
  }
  assert.ok(compared > 200, `${compared} compared`)
  assert.ok(narrow.bytes <= 1_800, `${narrow.bytes} bytes`)
  assert.ok(!narrow.reaches(begin), 'a narrow one reaches back to the beginning')
})

test('what is very large is not kept for everybody, and told to be read', async () => {
  const recent = new RecentPublications(await api.database.system(newestRevision), 400)
  await publishOne(1)
  await api.database.system((tx) => recent.read(tx))
  const [one] = recent.after(recent.until - 1, ALL)
  assert.deepEqual([one?.key, one?.json, recent.bytes], ['recent-1', null, 0])
})

test('a node that is far behind is read few large zones at a time, one at least, and all in the end', async () => {
  const begin = await api.database.system(newestRevision)
  const sets = [0, 60_000, 60_000, 30_000, 0, 400_000, 0, 70_000]
  for (const [at, own] of sets.entries())
    await api.database.system(async (tx) => {
      const key = `recent-far-${at}`
      const body = { organizationId: key, version: 1, targets: [] }
      await publish(tx, { kind: 'probe-targets', key, version: 1, organizationId: null, body })
      await tx.query(`UPDATE publication SET sets = nullif($2::int, 0) WHERE kind = 'probe-targets' AND key = $1`, [
        key,
        own,
      ])
    })
  const reads: string[][] = []
  let cursor = begin
  for (;;) {
    const rows = await api.database.system((tx) => missed(tx, cursor, ALL))
    if (rows.length === 0) break
    reads.push(own(rows.map(({ json }) => json)).map(({ key }) => key.slice('recent-far-'.length)))
    cursor = rows.at(-1)?.revision ?? cursor
  }
  assert.deepEqual(
    reads.filter((keys) => keys.length > 0),
    [['0', '1'], ['2', '3', '4'], ['5'], ['6', '7']],
  )
})
