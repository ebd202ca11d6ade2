import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS, streamChapters } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { get, set } = streamChapters.routes

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

async function newVideo(): Promise<{ client: Client; asset: string }> {
  const client = await api.newClient({ planId: 'enterprise' })
  const source = { width: 2, height: 2, fps: 25, seconds: 90, videoCodec: 'h264', audioCodec: null }
  const [row] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, source, created_by) VALUES ($1, 'pier.mp4', 1, 'ready', true, $2, 'x') RETURNING id`,
      [client.organizationId, JSON.stringify(source)],
    ),
  )
  return { client, asset: row?.id ?? '' }
}

test('chapters are kept in order of time, told once they are in the playlist, and purged when they change', async () => {
  const { client, asset } = await newVideo()
  assert.deepEqual(await client.call(get, { asset }), {
    data: [],
    limit: LIMITS.chapters,
    isLive: true,
    jsonUrl: null,
    vttUrl: null,
  })
  const made = await client.call(set, {
    asset,
    chapters: [
      { start: 62.5004, title: ' Port <b> ' },
      { start: 0, title: 'Casting off' },
    ],
  })
  assert.deepEqual(
    [made.data, made.isLive, made.jsonUrl],
    [
      [
        { start: 0, title: 'Casting off' },
        { start: 62.5, title: 'Port <b>' },
      ],
      false,
      null,
    ],
  )
  await api.database.system((tx) => tx.query('UPDATE stream_asset SET chapters_applied = true WHERE id = $1', [asset]))
  assert.match((await client.call(get, { asset })).jsonUrl ?? '', /\/chapters-1\/chapters\.json$/)
  const none = await client.call(set, { asset, chapters: [] })
  assert.deepEqual([none.data, none.jsonUrl], [[], null])
  await until(async () => {
    const rows = await api.database.system((tx) =>
      tx.query<{ body: unknown }>(`SELECT body FROM publication WHERE kind = 'edge-purges' AND key = $1`, [
        `stream:${client.organizationId}`,
      ]),
    )
    return JSON.stringify(rows[0]?.body ?? null).includes(`/${asset}/chapters-1/`)
  })
})

test('what cannot be is told by its row, and another organisation finds nothing', async () => {
  const { client, asset } = await newVideo()
  const refused = async (...chapters: { start: number; title: string }[]) => {
    const { code, fields } = await client.refusal(set, { asset, chapters })
    return [code, fields?.[0]?.path, fields?.[0]?.message]
  }
  const first = { start: 1, title: 'a' }
  assert.deepEqual(await refused(first, first), [400, 'chapters.1.start', 'validation.chapterTwice'])
  assert.deepEqual(await refused({ start: 90, title: 'a' }), [400, 'chapters.0.start', 'validation.chapterLate'])
  for (const bad of [
    { start: -1, title: 'a' },
    { start: 1, title: ' ' },
    { start: 1, title: 'a\nb' },
    { start: 1, title: 'a'.repeat(121) },
  ])
    assert.equal((await refused(bad))[0], 400, JSON.stringify(bad))
  const many = Array.from({ length: LIMITS.chapters + 1 }, (_, index) => ({ start: index / 10, title: 'a' }))
  assert.equal((await refused(...many))[0], 400)
  const other = await api.newClient({ planId: 'enterprise' })
  assert.equal((await other.refusal(get, { asset })).code, 404)
  assert.equal((await other.refusal(set, { asset, chapters: [] })).code, 404)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(set, { asset, chapters: [] })).code, 403)
})
