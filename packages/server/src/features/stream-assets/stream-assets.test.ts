import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { streamAssets } from '@fairway/contract'
import { mediaFolders, streamHost } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { create, get, list, remove } = streamAssets.routes
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
  assert.equal(data.manifestUrl, null)
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
