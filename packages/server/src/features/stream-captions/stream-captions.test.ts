import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS, auditLog, streamAssets, streamCaptions } from '@fairway/contract'
import { streamHost } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'
import { watchGone } from '../stream-assets/watch-gone.ts'

const { create, file, list, remove, update } = streamCaptions.routes
const WORDS = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nAhoy\n'
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const GERMAN = { language: 'de', label: 'Deutsch', file: base64(WORDS) }

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

async function newVideo(): Promise<{ client: Client; asset: string }> {
  const client = await api.newClient({ planId: 'enterprise' })
  const [row] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, created_by) VALUES ($1, 'pier.mp4', 1, 'ready', true, 'x') RETURNING id`,
      [client.organizationId],
    ),
  )
  return { client, asset: row?.id ?? '' }
}
const system = (text: string, values: unknown[] = []) => api.database.system((tx) => tx.query(text, values))
const textOf = async (client: Client, { asset, id }: { asset: string; id: string }): Promise<string> =>
  (
    await fetch(new URL(`/vsp/v2/assets/${asset}/captions/${id}/file/`, api.url), {
      headers: { authorization: `Bearer ${client.token}` },
    })
  ).text()
const published = async (client: Client): Promise<string> => {
  const rows = await api.database.system((tx) =>
    tx.query<{ body: unknown }>(`SELECT body FROM publication WHERE kind = 'edge-purges' AND key = $1`, [
      `stream:${client.organizationId}`,
    ]),
  )
  return JSON.stringify(rows[0]?.body ?? null)
}

test('captions are taken as SubRip or WebVTT, told once they are in the playlist, and had again as WebVTT', async () => {
  const { client, asset } = await newVideo()
  const srt = base64('1\r\n00:00:01,000 --> 00:00:02,000\r\n<font color=red>Ahoy</font>\r\n')
  const made = await client.call(create, { asset, language: 'DE-ch', label: 'Deutsch', isDefault: true, file: srt })
  assert.deepEqual(
    [made.language, made.kind, made.isDefault, made.cues, made.endsAt, made.isLive, made.url],
    ['de-CH', 'subtitles', true, 1, 2, false, null],
  )
  assert.equal(await textOf(client, { asset, id: made.id }), WORDS)
  await system('UPDATE stream_caption SET applied_at = now() WHERE id = $1', [made.id])
  const {
    data: [live],
  } = await client.call(list, { asset })
  assert.equal(live?.isLive, true)
  assert.ok(live.url?.includes(streamHost(api.config, client.organizationId)))
  assert.match(live.url ?? '', /\/text-1\/text\.vtt$/)
  const other = await client.call(create, { asset, language: 'en', label: 'English', isDefault: true, file: srt })
  const { data } = await client.call(list, { asset })
  assert.deepEqual(
    data.map(({ id, isDefault }) => [id, isDefault]),
    [
      [made.id, false],
      [other.id, true],
    ],
  )
  const entries = (await client.call(auditLog.routes.list, { search: 'stream-caption' })).data
  assert.ok(entries.every((entry) => !JSON.stringify(entry).includes('Ahoy')))
})

test('what cannot be read is told by its line, what is too large or twice there by its code', async () => {
  const { client, asset } = await newVideo()
  const attempt = (change: object) => client.refusal(create, { asset, ...GERMAN, ...change })
  const windows = await attempt({ file: base64(Buffer.from(WORDS.replace('Ahoy', 'caf\xe9'), 'latin1')) })
  assert.deepEqual([windows.code, windows.fields], [30020, [{ path: 'file', message: 'validation.captionEncoding:4' }]])
  assert.equal((await attempt({ file: base64('<html>') })).code, 30020)
  assert.equal((await attempt({ file: base64(WORDS + '\n'.repeat(LIMITS.captions.bytes)) })).code, 30022)
  await client.call(create, { asset, ...GERMAN })
  assert.equal((await attempt({ label: 'Other' })).code, 30021)
  assert.equal((await attempt({ language: 'at', label: 'DEUTSCH' })).code, 30021)
  await client.call(create, { asset, ...GERMAN, kind: 'captions', label: 'Deutsch (mit Ton)' })
  for (const bad of [
    { language: 'x"y' },
    { language: 'de\nEXT' },
    { label: 'a"b' },
    { label: 'a\nb' },
    { file: 'no base64!' },
    { kind: 'chapters' },
  ])
    assert.equal((await attempt({ label: 'New', language: 'fr', ...bad })).code, 400, JSON.stringify(bad))
})

test('the 61st file of captions of a video is refused', async () => {
  const { client, asset } = await newVideo()
  await system(
    `INSERT INTO stream_caption (organization_id, asset_id, number, language, label, kind, body, cues, ends_at, created_by)
     SELECT $1, $2, 1000 + n, 'x' || n, 'x' || n, 'subtitles', 'WEBVTT', 1, 1, 'x' FROM generate_series(1, $3) n`,
    [client.organizationId, asset, LIMITS.captions.perVideo],
  )
  assert.equal((await client.refusal(create, { asset, ...GERMAN })).code, 30023)
})

test('another text takes another address and the old one is purged; a name alone purges nothing', async () => {
  const { client, asset } = await newVideo()
  const { id } = await client.call(create, { asset, ...GERMAN })
  await client.call(update, { asset, id, label: 'Deutsch (Schweiz)', kind: 'captions' })
  const again = await client.call(update, { asset, id, file: base64(WORDS.replace('Ahoy', 'Moin')) })
  assert.deepEqual([again.label, again.kind, again.isLive], ['Deutsch (Schweiz)', 'captions', false])
  assert.match(await textOf(client, { asset, id }), /Moin/)
  await until(async () => (await published(client)).includes(`/${asset}/text-1/`))
  await client.call(remove, { asset, id })
  await until(async () => (await published(client)).includes(`/${asset}/text-3/`))
  assert.doesNotMatch(await published(client), /text-2\//)
  assert.equal((await client.call(list, { asset })).data.length, 0)
  assert.equal((await client.refusal(file, { asset, id })).code, 404)
})

test('what was fetched between a removal and the end of the files is purged once they are gone', async () => {
  const { client, asset } = await newVideo()
  const { id } = await client.call(create, { asset, ...GERMAN })
  await client.call(remove, { asset, id })
  await until(async () => (await published(client)).includes('text-1'))
  const before = await published(client)
  await system(`UPDATE stream_gone SET files_removed_at = clock_timestamp() WHERE asset_id = $1`, [asset])
  await api.database.system(watchGone)
  await until(async () => (await published(client)) !== before)
  await api.database.system(watchGone)
  const waiting = await api.database.system((tx) =>
    tx.query('SELECT FROM outbox WHERE organization_id = $1', [client.organizationId]),
  )
  assert.equal(waiting.length, 0)
})

test('nobody else sees, changes or learns of captions, and they go with their video', async () => {
  const { client, asset } = await newVideo()
  const { id } = await client.call(create, { asset, ...GERMAN })
  const other = await newVideo()
  for (const at of [
    { asset, id },
    { asset: other.asset, id },
  ]) {
    assert.equal((await other.client.refusal(file, at)).code, 404)
    assert.equal((await other.client.refusal(update, { ...at, label: 'x' })).code, 404)
    assert.equal((await other.client.refusal(remove, at)).code, 404)
  }
  assert.equal((await other.client.refusal(create, { asset, ...GERMAN })).code, 404)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(remove, { asset, id })).code, 403)
  assert.equal((await viewer.call(list, { asset })).data.length, 1)
  await client.call(streamAssets.routes.remove, { id: asset })
  assert.equal((await client.refusal(list, { asset })).code, 404)
  assert.equal((await system('SELECT FROM stream_caption WHERE asset_id = $1', [asset])).length, 0)
})
