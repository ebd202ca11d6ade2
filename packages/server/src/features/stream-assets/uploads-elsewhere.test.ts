import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { LIMITS, streamAssets } from '@fairway/contract'
import { mediaFolders } from '@fairway/platform'
import { startApi } from '../../api.ts'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

// Files that are uploaded to where videos are kept, and not to the disk of the machine that takes them.

const { create, get, remove } = streamAssets.routes
const SIZE = 20 << 20
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-uploads-'))
let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest({ FAIRWAY_MEDIA_STORAGE: place })
  await api.database.system((tx) =>
    tx.query(`INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ('test', true, now() + interval '1 hour')`),
  )
})
after(async () => {
  await api?.[Symbol.asyncDispose]()
  fs.rmSync(place, { recursive: true, force: true })
})

type Asked = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }
/** Sends with a length that says more than is sent where `cut`, and hangs up then. */
function ask(
  at: string,
  { token }: Client,
  method: string,
  url: string,
  { offset, body, cut = false }: { offset?: number; body?: Buffer; cut?: boolean } = {},
): Promise<Asked | null> {
  return new Promise((resolve) => {
    const request = http.request(new URL(url, at), {
      method,
      headers: {
        'tus-resumable': '1.0.0',
        authorization: `Bearer ${token}`,
        ...(offset === undefined ? {} : { 'upload-offset': offset }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/offset+octet-stream', 'content-length': cut ? SIZE : body.length }),
      },
    })
    request.on('error', () => resolve(null))
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', () => resolve(null))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    })
    if (body === undefined) request.end()
    else if (cut) request.write(body, () => request.destroy())
    else request.end(body)
  })
}

test('an upload that was begun at one machine goes on at another after the first is gone, and is had from any', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const bytes = crypto.randomBytes(SIZE)
  const { data, uploadUrl } = await client.call(create, { name: 'harbour.mp4', size: SIZE })
  const loaded = async () => (await client.call(get, { id: data.id })).loaded
  {
    await using first = await startApi({ config: api.config, log: api.log, consoleFolder: null })
    await ask(first.url, client, 'PATCH', uploadUrl, { offset: 0, body: bytes.subarray(0, 12 << 20), cut: true })
    await until(async () => (await loaded()) >= 8 << 20)
  }
  const head = await ask(api.url, client, 'HEAD', uploadUrl)
  const offset = Number(head?.headers['upload-offset'])
  assert.ok(offset >= 8 << 20 && offset <= 12 << 20, `${offset}`)
  assert.equal(head?.headers['upload-length'], String(SIZE))
  const wrong = await ask(api.url, client, 'PATCH', uploadUrl, { offset: offset - 1, body: bytes.subarray(offset - 1) })
  assert.equal(wrong?.status, 409)
  const rest = await ask(api.url, client, 'PATCH', uploadUrl, { offset, body: bytes.subarray(offset) })
  assert.equal(rest?.status, 204)
  assert.equal(await loaded(), SIZE)
  assert.equal(fs.existsSync(path.join(mediaFolders(api.config).uploads, data.id)), false)
  // As the role leaves it.
  await api.database.system((tx) => tx.query(`UPDATE stream_asset SET state = 'ready' WHERE id = $1`, [data.id]))
  const had = await ask(api.url, client, 'GET', `/vsp/v2/assets/${data.id}/file`)
  assert.deepEqual([had?.status, had?.headers['content-length']], [200, String(SIZE)])
  assert.ok(had?.body.equals(bytes))
  const other = await api.newClient({ planId: 'enterprise' })
  assert.equal((await ask(api.url, other, 'GET', `/vsp/v2/assets/${data.id}/file`))?.status, 404)
  assert.equal((await ask(api.url, other, 'HEAD', uploadUrl))?.status, 404)
})

test('uploads to elsewhere are not held to a share of this disk', async (t) => {
  const client = await api.newClient({ planId: 'enterprise' })
  const { statfsSync } = fs
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: 2 ** 20, blocks: 8000, bavail: 7900 }))
  for (const name of ['one.mp4', 'two.mp4']) {
    const { data } = await client.call(create, { name, size: 2500 * 2 ** 20 })
    assert.equal(data.state, 'uploading')
  }
})

test('what is announced elsewhere and does not play has a bound of its own for each organisation', async () => {
  const [client, other] = [await api.newClient({ planId: 'enterprise' }), await api.newClient({ planId: 'enterprise' })]
  const film = (name: string, size = 2 ** 30) => ({ name, size })
  const { data } = await client.call(create, film('one.mp4'))
  await client.call(create, film('two.mp4'))
  const fill = 'UPDATE stream_asset SET size = $2, is_playable = $3 WHERE id = $1'
  const filled = (bytes: number, plays: boolean) => api.database.system((tx) => tx.query(fill, [data.id, bytes, plays]))
  await filled(LIMITS.uploadsElsewhereBytes - 2 * 2 ** 30, false)
  await client.call(create, film('three.mp4'))
  assert.equal((await client.refusal(create, film('four.mp4'))).code, 30030)
  assert.equal((await other.call(create, film('four.mp4'))).data.state, 'uploading')
  // What plays is paid for by being kept.
  await filled(LIMITS.uploadsElsewhereBytes, true)
  await client.call(create, film('four.mp4'))
})

test('what is sent for a video that was removed meanwhile is not left lying there', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const { data, uploadUrl } = await client.call(create, { name: 'gone.mp4', size: SIZE })
  const agent = new http.Agent()
  const sending = http.request(new URL(uploadUrl, api.url), {
    agent,
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      authorization: `Bearer ${client.token}`,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
      'content-length': SIZE,
    },
  })
  const ended = new Promise((resolve) => {
    sending.on('response', (response) => resolve(response.resume()))
    sending.on('error', resolve)
  })
  sending.write(crypto.randomBytes(9 << 20))
  await until(async () => (await client.call(get, { id: data.id })).loaded === 8 << 20)
  await client.call(remove, { id: data.id })
  const left = () => (fs.readdirSync(place, { recursive: true }) as string[]).filter((name) => name.includes(data.id))
  // The role empties the place.
  for (const name of left()) if (!fs.statSync(path.join(place, name)).isDirectory()) fs.rmSync(path.join(place, name))
  sending.end(crypto.randomBytes(11 << 20))
  await ended
  agent.destroy()
  await until(async () => left().every((name) => fs.statSync(path.join(place, name)).isDirectory()))
  assert.equal((await ask(api.url, client, 'HEAD', uploadUrl))?.status, 404)
})

test('a file that comes byte by byte is refused before each is an object; one that is cut off now and then is not', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const tiny = await client.call(create, { name: 'tiny.mp4', size: 1 << 20 })
  const one = Buffer.from('x')
  const statuses = new Map<number | undefined, number>()
  for (let offset = 0, sent = 0; sent < 70; sent++) {
    const status = (await ask(api.url, client, 'PATCH', tiny.uploadUrl, { offset, body: one }))?.status
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 204) offset++
  }
  assert.deepEqual(
    [...statuses],
    [
      [204, 64],
      [429, 6],
    ],
  )
  const lying = (fs.readdirSync(place, { recursive: true }) as string[]).filter((name) => name.includes(tiny.data.id))
  assert.ok(lying.length <= 66, `${lying.length}`)
  // 20 MB in requests of 512 kB: as from a line of 140 kbit/s that breaks every 30 s.
  const cut = await client.call(create, { name: 'cut.mp4', size: SIZE })
  const some = Buffer.alloc(512 << 10)
  for (let offset = 0; offset < SIZE; offset += some.length)
    assert.equal((await ask(api.url, client, 'PATCH', cut.uploadUrl, { offset, body: some }))?.status, 204)
})
