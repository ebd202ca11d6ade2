import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { notifications, streamAssets } from '@fairway/contract'
import { mediaFolders, streamHost } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'
import { watchFailed } from './watch-failed.ts'
import { watchGone } from './watch-gone.ts'

const { create, dropReplacement, get, list, makeFile, remove, replace, update } = streamAssets.routes
const FILM = { name: 'harbour.mp4', size: 300_000 }
const TUS = { 'tus-resumable': '1.0.0' }

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
  await encoder(true)
})
after(() => api[Symbol.asyncDispose]())

const encoder = (isThere: boolean) =>
  api.database.system((tx) =>
    tx.query(
      `INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ('test', $1, now() + interval '1 hour') ON CONFLICT (node) DO UPDATE SET can_encode = $1`,
      [isThere],
    ),
  )
const ask = (client: Client, url: string, init: RequestInit = {}) =>
  fetch(new URL(url, api.url), {
    ...init,
    headers: { ...TUS, authorization: `Bearer ${client.token}`, ...(init.headers as Record<string, string>) },
  })
const send = (client: Client, url: string, offset: number, body: Uint8Array<ArrayBuffer>) =>
  ask(client, url, {
    method: 'PATCH',
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body,
  })
const arrived = async (client: Client, url: string) =>
  Number((await ask(client, url, { method: 'HEAD' })).headers.get('upload-offset'))

test('a file is sent in pieces, goes on where it was cut off, and arrives as it was', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  const { data, uploadUrl } = await client.call(create, { ...FILM, size: bytes.length })
  assert.equal(data.state, 'uploading')
  assert.deepEqual([data.manifestUrl, data.dashUrl], [null, null])
  assert.equal((await send(client, uploadUrl, 0, bytes.slice(0, 20_000))).status, 204)
  assert.equal((await client.call(get, { id: data.id })).loaded, 20_000)
  assert.equal((await send(client, uploadUrl, 5_000, bytes.slice(5_000))).status, 409)
  assert.equal(await arrived(client, uploadUrl), 20_000)
  assert.equal((await send(client, uploadUrl, 20_000, bytes.slice(20_000))).status, 204)
  const stored = fs.readFileSync(path.join(mediaFolders(api.config).uploads, data.id))
  assert.deepEqual(new Uint8Array(stored), bytes)
})

test('another organisation can neither see, fill, learn the progress of, nor remove a video', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const { data, uploadUrl } = await client.call(create, FILM)
  assert.equal((await send(other, uploadUrl, 0, new Uint8Array(10))).status, 404)
  assert.equal((await ask(other, uploadUrl, { method: 'HEAD' })).status, 404)
  assert.equal((await ask(other, `/vsp/v2/assets/${data.id}/file`)).status, 404)
  assert.equal((await other.refusal(remove, { id: data.id })).code, 404)
  assert.equal((await other.call(list, {})).meta.total, 0)
  // An id behind the one that is checked is nobody's question.
  const own = await other.call(create, { ...FILM, size: 20 })
  const both = `${own.uploadUrl}?x=/${data.id}`
  assert.equal((await send(other, both, 0, new Uint8Array(10))).status, 204)
  assert.equal(await arrived(other, own.uploadUrl), 10)
  const said = await ask(other, both, { method: 'HEAD' })
  assert.equal(said.headers.get('upload-length'), '20')
  assert.equal(await arrived(client, uploadUrl), 0)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await send(viewer, uploadUrl, 0, new Uint8Array(10))).status, 403)
  assert.equal((await fetch(new URL(uploadUrl, api.url), { method: 'HEAD', headers: TUS })).status, 401)
})

test('a name that is taken, an unknown format, too many bytes and a missing encoder are told apart', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  await client.call(create, FILM)
  assert.equal((await client.refusal(create, { ...FILM, name: 'Harbour.MP4' })).code, 30007)
  assert.equal((await client.refusal(create, { ...FILM, name: 'list.m3u8' })).code, 30008)
  assert.equal((await client.refusal(create, { name: 'big.mp4', size: 5 * 2 ** 30 + 1 })).code, 30009)
  await encoder(false)
  assert.equal((await client.refusal(create, { ...FILM, name: 'b.mp4' })).code, 920901)
  await encoder(true)
})

test('a video gets another name and category, plays under its addresses, and downloads with its ending', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const viewer = await api.colleague(client, ['ViewSite'])
  const id = await playing(client, 'harbour.mov')
  await client.call(create, FILM)
  const before = await client.call(get, { id })
  const after = await client.call(update, { id, name: ' Harbour, 2026 ', category: ' Films ' })
  assert.deepEqual(after, { ...before, name: 'Harbour, 2026', category: 'Films' })
  // What is not named stays; another case of its own name is free.
  assert.equal((await client.call(update, { id, name: 'HARBOUR, 2026' })).category, 'Films')
  assert.equal((await client.call(update, { id, category: '' })).name, 'HARBOUR, 2026')
  fs.writeFileSync(path.join(mediaFolders(api.config).uploads, id), 'a film')
  const had = await ask(client, `/vsp/v2/assets/${id}/file`)
  assert.match(had.headers.get('content-disposition') ?? '', /filename\*=UTF-8''HARBOUR%2C%202026\.mov$/)
  const refused = await client.refusal(update, { id, name: 'HARBOUR.mp4' })
  assert.deepEqual([refused.code, refused.fields?.[0]?.path], [30007, 'name'])
  for (const bad of [{ name: '' }, { name: 'x'.repeat(201) }, { category: 'x'.repeat(81) }])
    assert.equal((await client.refusal(update, { id, ...bad })).code, 400)
  assert.equal((await other.refusal(update, { id, name: 'mine' })).code, 404)
  assert.equal((await viewer.refusal(update, { id, name: 'mine' })).code, 403)
  const told = await system<{ changes: unknown }>(
    `SELECT changes FROM audit_log WHERE organization_id = $1 AND action = 'stream-asset.update'`,
    [client.organizationId],
  )
  assert.equal(told.length, 3)
})

test('a full disk stops new uploads, and those that were announced before, until there is room', async (t) => {
  const client = await api.newClient({ planId: 'enterprise' })
  const { uploadUrl } = await client.call(create, { ...FILM, name: 'early.mp4' })
  const { statfsSync } = fs
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: 2 ** 20, bavail: 1800 }))
  assert.equal((await client.refusal(create, FILM)).code, 920902)
  assert.equal((await client.call(list, {})).meta.total, 1)
  assert.equal((await send(client, uploadUrl, 0, new Uint8Array(10))).status, 503)
  t.mock.restoreAll()
  // Where nothing can be changed any more, what takes room can be removed.
  const { data: gone } = await client.call(create, { ...FILM, name: 'gone.mp4' })
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: 2 ** 20, bavail: 10 }))
  await until(async () => (await client.refusal(create, FILM)).code === 920903)
  await client.call(remove, { id: gone.id })
  t.mock.restoreAll()
  await until(async () => (await send(client, uploadUrl, 0, new Uint8Array(0))).status === 204)
  assert.equal((await send(client, uploadUrl, 0, new Uint8Array(10))).status, 204)
})

test('what is not done of one organisation takes a quarter of the disk at most, and leaves another its room', async (t) => {
  const client = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const id = await playing(client, 'plays.mp4')
  const MB = 2 ** 20
  const { statfsSync } = fs
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: MB, blocks: 8000, bavail: 7900 }))
  // One alone may be larger.
  const { data: large } = await client.call(create, { name: 'large.mp4', size: 2500 * MB })
  assert.equal((await client.refusal(create, FILM)).code, 30030)
  assert.equal((await client.refusal(replace, { id, ...FILM })).code, 30030)
  assert.equal((await client.refusal(makeFile, { id, rendition: '360p' })).code, 30030)
  assert.equal((await other.call(create, FILM)).data.state, 'uploading')
  // What was uploaded to elsewhere takes nothing of this disk.
  const kept = 'UPDATE stream_asset SET upload_in = $2 WHERE id = $1'
  await system(kept, [large.id, 's3://elsewhere'])
  const { data: small } = await client.call(create, FILM)
  await client.call(remove, { id: small.id })
  await system(kept, [large.id, ''])
  // One that failed counts where its file is kept.
  const fail = `UPDATE stream_asset SET state = 'failed', reason_code = $2 WHERE id = $1`
  await system(fail, [large.id, 30013])
  assert.equal((await client.refusal(create, FILM)).code, 30030)
  await system(fail, [large.id, 30010])
  await system(`UPDATE stream_job SET made = '{"averageBitrate":200000000}' WHERE asset_id = $1`, [id])
  await client.call(makeFile, { id, rendition: '360p' })
  await client.call(makeFile, { id, rendition: '360p' })
  assert.equal((await client.refusal(create, { ...FILM, size: 600 * MB })).code, 30030)
  await client.call(replace, { id, ...FILM, size: 500 * MB })
})

test('the 1025th source is refused', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO stream_asset (organization_id, name, size, created_by) SELECT $1, 'v' || n || '.mp4', 1, 'x' FROM generate_series(1, 1024) n`,
      [client.organizationId],
    ),
  )
  assert.equal((await client.refusal(create, FILM)).code, 30004)
})

test('the edge gets a host for an organisation’s videos, and forgets what was removed', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const { data } = await client.call(create, FILM)
  const published = (kind: string) =>
    api.database.system(async (tx) => {
      const [row] = await tx.query<{ body: unknown }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [
        kind,
        `stream:${client.organizationId}`,
      ])
      return JSON.stringify(row?.body ?? null)
    })
  await until(async () => (await published('edge-site')).includes(streamHost(api.config, client.organizationId)))
  await client.call(remove, { id: data.id })
  assert.equal((await client.refusal(get, { id: data.id })).code, 404)
  await until(async () => (await published('edge-purges')).includes(`/${data.id}/`))
})

const system = <Row extends object>(sql: string, values: unknown[] = []) =>
  api.database.system((tx) => tx.query<Row>(sql, values))
const SOURCE = JSON.stringify({ width: 640, height: 360, fps: 25, seconds: 60, videoCodec: 'h264', audioCodec: 'aac' })

/** A video that plays, with one quality, as the role `media` leaves it. */
async function playing(client: Client, name = 'harbour.mp4'): Promise<string> {
  const [row] = await system<{ id: string }>(
    `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, has_poster, source, created_by, ready_at) VALUES ($1, $2, 9, 'ready', true, true, $3, 'x', now()) RETURNING id`,
    [client.organizationId, name, SOURCE],
  )
  const id = row?.id ?? ''
  await system(
    `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, state, attempt, spec, made) VALUES ($1, $2, 0, 'video', '360p', 'done', 1, '{"width":640,"height":360}', '{"averageBitrate":800000,"peakBitrate":900000}')`,
    [client.organizationId, id],
  )
  return id
}

test('another file for a video is sent beside it, told of, stopped, and never a video of its own', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const id = await playing(client)
  const bytes = crypto.getRandomValues(new Uint8Array(9_000))
  const { data, uploadUrl } = await client.call(replace, { id, name: 'Harbour 2.mov', size: bytes.length })
  assert.deepEqual(
    [data.id, data.name, data.state, data.isPlayable, data.replacement?.state, data.replacement?.name],
    [id, 'harbour.mp4', 'ready', true, 'uploading', 'Harbour 2.mov'],
  )
  assert.equal((await send(client, uploadUrl, 0, bytes.slice(0, 4_000))).status, 204)
  assert.equal((await client.call(get, { id })).replacement?.loaded, 4_000)
  const upload = uploadUrl.split('/').at(-1) ?? ''
  // It is neither seen, had, replaced nor removed by its own id, nor does it count.
  assert.deepEqual(
    (await client.call(list, {})).data.map((one) => one.id),
    [id],
  )
  assert.equal((await client.refusal(get, { id: upload })).code, 404)
  assert.equal((await client.refusal(remove, { id: upload })).code, 404)
  assert.equal((await client.refusal(replace, { id: upload, name: 'x.mp4', size: 1 })).code, 404)
  assert.equal((await ask(client, `/vsp/v2/assets/${upload}/file`)).status, 404)
  // One at a time, and of a kind that is taken.
  assert.equal((await client.refusal(replace, { id, name: 'x.mp4', size: 1 })).code, 30025)
  assert.equal((await client.refusal(replace, { id, name: 'x.m3u8', size: 1 })).code, 30008)
  assert.equal((await client.refusal(replace, { id, name: 'x.mp4', size: 5 * 2 ** 30 + 1 })).code, 30009)
  // A name that a replacement has is free for a video.
  await client.call(create, { name: 'Harbour 2.mov', size: 1 })
  await client.call(dropReplacement, { id })
  assert.equal((await client.call(get, { id })).replacement, null)
  assert.equal((await send(client, uploadUrl, 4_000, bytes.slice(4_000))).status, 404)
  assert.equal((await client.refusal(dropReplacement, { id })).code, 404)
})

test('what a stopped replacement has made is removed and purged; a failed one is told, and makes way for the next', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const id = await playing(client)
  await client.call(replace, { id, name: 'b.mp4', size: 1 })
  const first = await system<{ id: string; edition: number }>(
    'SELECT id, edition FROM stream_asset WHERE replaces = $1',
    [id],
  )
  await system(
    `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, state, attempt) VALUES ($1, $2, 0, 'video', '360p', 'running', $3), ($1, $2, 1, 'video', '480p', 'waiting', $4)`,
    [client.organizationId, first[0]?.id, (first[0]?.edition ?? 0) * 100 + 2, (first[0]?.edition ?? 0) * 100],
  )
  await system(`UPDATE stream_asset SET state = 'failed', reason_code = 30013, reason = 'bad frame' WHERE id = $1`, [
    first[0]?.id,
  ])
  const { replacement, state } = await client.call(get, { id })
  assert.deepEqual([state, replacement?.reasonCode, replacement?.reason], ['ready', 30013, 'bad frame'])
  await client.call(replace, { id, name: 'c.mp4', size: 1, atOnce: true })
  const gone = await system<{ folder: string }>('SELECT folder FROM stream_gone WHERE asset_id = $1 ORDER BY folder', [
    id,
  ])
  assert.deepEqual(
    gone.map(({ folder }) => folder),
    ['360p-101', '360p-102'],
  )
  const [second] = await system<{ edition: number; at_once: boolean }>(
    'SELECT edition, at_once FROM stream_asset WHERE replaces = $1 AND deleted_at IS NULL',
    [id],
  )
  assert.deepEqual(second, { edition: 2, at_once: true })
  // The video goes, and its replacement with it.
  await client.call(remove, { id })
  assert.equal((await system('SELECT FROM stream_asset WHERE replaces = $1 AND deleted_at IS NULL', [id])).length, 0)
})

test('what a replacement leaves is purged once its time has come, and pictures by their names at once', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const id = await playing(client)
  await client.call(create, { name: 'other.mp4', size: 1 })
  const published = async (kind: string) =>
    JSON.stringify(
      (
        await system<{ body: unknown }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [
          kind,
          `stream:${client.organizationId}`,
        ])
      )[0]?.body ?? null,
    )
  await until(async () => (await published('edge-site')) !== 'null')
  // As the role leaves it.
  await system('UPDATE stream_asset SET replaced_at = now() WHERE id = $1', [id])
  await system(
    `INSERT INTO stream_gone (organization_id, asset_id, folder, deleted_at) VALUES ($1, $2, '360p-1', now() + interval '1 hour')`,
    [client.organizationId, id],
  )
  await api.database.system(watchGone)
  await until(async () => (await published('edge-purges')).includes(`"/${id}/poster.jpg"`))
  assert.doesNotMatch(await published('edge-purges'), /360p-1/)
  await system('UPDATE stream_gone SET deleted_at = clock_timestamp() WHERE asset_id = $1', [id])
  await api.database.system(watchGone)
  await until(async () => (await published('edge-purges')).includes(`/${id}/360p-1/`))
  const told = () => system('SELECT FROM outbox WHERE organization_id = $1', [client.organizationId])
  await until(async () => (await told()).length === 0)
  await api.database.system(watchGone)
  assert.deepEqual(await told(), [])
})

test('a quality is had as a file once it was asked for and made, by who may, of the own organisation', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const id = await playing(client, 'harbour & “pier”.mov')
  const file = `/vsp/v2/assets/${id}/files/360p`
  assert.equal((await client.refusal(makeFile, { id, rendition: '480p' })).code, 30026)
  assert.equal((await other.refusal(makeFile, { id, rendition: '360p' })).code, 404)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(makeFile, { id, rendition: '360p' })).code, 403)
  const wanted = await client.call(makeFile, { id, rendition: '360p' })
  assert.deepEqual(wanted.renditions[0]?.file, { state: 'making', size: null, until: null })
  await client.call(makeFile, { id, rendition: '360p' })
  const rows = await system<{ id: string }>('SELECT id FROM stream_download WHERE asset_id = $1', [id])
  assert.equal(rows.length, 1)
  assert.equal((await ask(client, file)).status, 404)
  fs.writeFileSync(path.join(mediaFolders(api.config).uploads, rows[0]?.id ?? ''), 'a film')
  await system(`UPDATE stream_download SET state = 'done', size = 6, done_at = now() WHERE asset_id = $1`, [id])
  assert.equal((await client.call(get, { id })).renditions[0]?.file?.state, 'ready')
  const had = await ask(viewer, file)
  assert.deepEqual([had.status, await had.text()], [200, 'a film'])
  assert.match(
    had.headers.get('content-disposition') ?? '',
    /^attachment; filename="harbour____pier_-360p\.mp4"; filename\*=UTF-8''harbour%20/,
  )
  assert.equal((await ask(other, file)).status, 404)
  for (const odd of ['360p%2f..%2f..', '360P', 'x'.repeat(20)])
    assert.equal((await ask(client, `/vsp/v2/assets/${id}/files/${odd}`)).status, 404, odd)
  // What failed is tried again when somebody asks.
  await system(`UPDATE stream_download SET state = 'failed' WHERE asset_id = $1`, [id])
  assert.equal((await client.call(makeFile, { id, rendition: '360p' })).renditions[0]?.file?.state, 'making')
})

test('a video that cannot be made playable is told of once, by bell and letter, until it is removed', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const [row] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, reason_code, reason, created_by) VALUES ($1, 'pier.mp4', 1, 'failed', 30010, 'no film', 'x') RETURNING id`,
      [client.organizationId],
    ),
  )
  const look = () => api.database.system((tx) => watchFailed(tx))
  await look()
  await look()
  const news = async () =>
    (await client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'video-failed')
  assert.deepEqual(
    (await news()).map(({ type, fields, link, endedAt }) => [type, fields['code'], link, endedAt]),
    [['stream', 30010, '/stream/assets', null]],
  )
  const letters = await api.database.system((tx) =>
    tx.query(`SELECT FROM mail_message WHERE to_address = $1 AND fields->>'title' LIKE 'pier.mp4%'`, [client.email]),
  )
  assert.equal(letters.length, 1)
  await client.call(streamAssets.routes.remove, { id: row?.id ?? '' })
  await look()
  assert.notEqual((await news())[0]?.endedAt, null)
})
