import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS, streamThumbnails } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'

const { get, set } = streamThumbnails.routes

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

const SOURCE = JSON.stringify({ width: 640, height: 360, fps: 25, seconds: 60, videoCodec: 'h264', audioCodec: null })
async function newVideo(source: string | null = SOURCE): Promise<{ client: Client; asset: string }> {
  const client = await api.newClient({ planId: 'enterprise' })
  const [row] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, has_poster, source, created_by) VALUES ($1, 'pier.mp4', 1, 'ready', true, $3, $2, 'x') RETURNING id`,
      [client.organizationId, source, source !== null],
    ),
  )
  return { client, asset: row?.id ?? '' }
}
const base64 = (bytes: Buffer) => bytes.toString('base64')
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

test('the automatic picture stays until a chosen one is made, and the chosen one has an address of its own', async () => {
  const { client, asset } = await newVideo()
  const automatic = await client.call(get, { asset })
  assert.deepEqual([automatic.kind, automatic.state, automatic.changedBy], ['automatic', 'live', null])
  assert.match(automatic.url ?? '', new RegExp(`/${asset}/poster\\.jpg$`))
  const chosen = await client.call(set, { asset, thumbnail: { kind: 'moment', at: 12.5 } })
  assert.deepEqual([chosen.kind, chosen.at, chosen.state, chosen.url], ['moment', 12.5, 'making', automatic.url])
  const made = () =>
    api.database.system((tx) =>
      tx.query('UPDATE stream_thumbnail SET applied_at = now(), shown_number = number WHERE asset_id = $1', [asset]),
    )
  await made()
  const live = await client.call(get, { asset })
  assert.equal(live.state, 'live')
  assert.match(live.url ?? '', /\/poster-1\/poster\.jpg$/)
  // The next one, which cannot be made: what there is stays.
  const next = await client.call(set, { asset, thumbnail: { kind: 'picture', file: base64(PNG) } })
  assert.deepEqual([next.kind, next.state, next.url], ['picture', 'making', live.url])
  await api.database.system((tx) =>
    tx.query(
      `UPDATE stream_thumbnail SET reason_code = 30024, reason = 'cut off', picture = NULL WHERE asset_id = $1`,
      [asset],
    ),
  )
  const failed = await client.call(get, { asset })
  assert.deepEqual([failed.state, failed.reasonCode, failed.reason, failed.url], ['failed', 30024, 'cut off', live.url])
  await client.call(set, { asset, thumbnail: { kind: 'automatic' } })
  await made()
  assert.match((await client.call(get, { asset })).url ?? '', /\/poster-3\/poster\.jpg$/)
})

test('a time after the end, what is no picture, too much of one and a video not looked into are refused', async () => {
  const { client, asset } = await newVideo()
  const refused = async (thumbnail: Parameters<typeof client.refusal<typeof set>>[1]['thumbnail']) => {
    const { code, fields } = await client.refusal(set, { asset, thumbnail })
    return [code, fields?.[0]?.message]
  }
  assert.deepEqual(await refused({ kind: 'moment', at: 60 }), [400, 'validation.thumbnailLate'])
  for (const at of [-1, Number.MAX_VALUE]) assert.equal((await refused({ kind: 'moment', at }))[0], 400)
  for (const bytes of [
    Buffer.from('<svg onload="x"/>'),
    Buffer.from('#EXTM3U'),
    Buffer.from('GIF89a........'),
    Buffer.alloc(64),
  ])
    assert.deepEqual(await refused({ kind: 'picture', file: base64(bytes) }), [400, 'validation.thumbnailFormat'])
  const large = Buffer.concat([PNG, Buffer.alloc(LIMITS.thumbnailBytes)])
  assert.equal((await refused({ kind: 'picture', file: base64(large) }))[0], 413)
  const other = await newVideo(null)
  assert.equal((await other.client.refusal(set, { asset: other.asset, thumbnail: { kind: 'automatic' } })).code, 30027)
  assert.equal((await other.client.refusal(get, { asset })).code, 404)
  assert.equal((await other.client.refusal(set, { asset, thumbnail: { kind: 'automatic' } })).code, 404)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(set, { asset, thumbnail: { kind: 'automatic' } })).code, 403)
  assert.equal((await viewer.call(get, { asset })).kind, 'automatic')
})
