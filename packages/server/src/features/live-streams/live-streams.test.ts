import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import fastify from 'fastify'
import { WHIP_PATH, billing, liveStreams, notifications, streamAssets } from '@fairway/contract'
import { freePort, readPublishToken, streamHost, streamKeyHash, whipSecret } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newCustomer, payWith } from '../../testing/billing-under-test.ts'
import { until } from '../../testing/until.ts'
import { keepRecordings } from './keep-recordings.ts'
import { watchLive } from './watch-live.ts'
import { registerWhip } from './whip.ts'

const { create, get, list, publish, recordings, remove, rotateKey, setRecording, setTest, setTranscoder, update } =
  liveStreams.routes
const RUNNER = 'test'

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest({
    FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${await freePort()}`,
    FAIRWAY_WEBRTC_LISTEN: `127.0.0.1:${await freePort()}`,
  })
  await sql(`INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ($1, true, now() + interval '1 hour')`, [
    RUNNER,
  ])
})
after(() => api[Symbol.asyncDispose]())

const sql = <T extends object>(text: string, values: unknown[]) =>
  api.database.system((tx) => tx.query<T>(text, values))
/** As the role would. */
const takeIn = (id: string) =>
  sql('UPDATE stream_live SET applied_revision = revision, runner = $2 WHERE id = $1', [id, RUNNER])
const newClient = () => api.newClient({ planId: 'enterprise' })

test('a stream is installed, switched on and off as the role confirms it, and refuses what comes too early', async () => {
  const client = await newClient()
  const { data, key } = await client.call(create, { name: 'Harbour' })
  assert.match(key ?? '', /^live_[\w-]{32}$/)
  assert.equal(data.transcoderStatus, 0)
  assert.equal((await client.refusal(setTranscoder, { id: data.id, on: true })).code, 30003)
  await takeIn(data.id)
  const status = async () => (await client.call(get, { id: data.id })).transcoderStatus
  assert.equal(await status(), 1)
  assert.equal((await client.call(setTranscoder, { id: data.id, on: true })).transcoderStatus, 4)
  assert.equal((await client.refusal(setTranscoder, { id: data.id, on: false })).code, 30003)
  await takeIn(data.id)
  assert.equal(await status(), 3)
  assert.equal((await client.call(setTranscoder, { id: data.id, on: false })).transcoderStatus, 5)
})

test('name and window change at any time, what is of a whole broadcast while the transcoder is off; the log has both', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  await client.call(create, { name: 'Pier' })
  const change = { id: data.id, latency: 'low', keyFrameSeconds: 4 } as const
  assert.deepEqual(
    await client.call(update, change).then(({ latency, keyFrameSeconds }) => [latency, keyFrameSeconds]),
    ['low', 4],
  )
  await takeIn(data.id)
  await client.call(setTranscoder, { id: data.id, on: true })
  for (const moment of ['starting', 'running', 'stopping']) {
    if (moment === 'stopping') await client.call(setTranscoder, { id: data.id, on: false })
    assert.equal((await client.refusal(update, { id: data.id, keyFrameSeconds: 2 })).code, 30028, moment)
    assert.equal((await client.refusal(update, { id: data.id, latency: 'normal' })).code, 30028, moment)
    const { name, rewindSeconds } = await client.call(update, { ...change, name: `Quay ${moment}`, rewindSeconds: 90 })
    assert.deepEqual([name, rewindSeconds], [`Quay ${moment}`, 90])
    if (moment === 'starting') await takeIn(data.id)
  }
  await takeIn(data.id)
  assert.equal((await client.call(update, { id: data.id, keyFrameSeconds: 2 })).keyFrameSeconds, 2)
  assert.equal((await client.refusal(update, { id: data.id, name: 'PIER' })).code, 30014)
  assert.equal((await client.call(update, { id: data.id, name: 'quay STOPPING' })).name, 'quay STOPPING')
  for (const wrong of [
    { rewindSeconds: 59 },
    { keyFrameSeconds: 21 },
    { name: ' ' },
    { originUrl: 'https://a.example/m.m3u8' },
  ])
    assert.equal((await client.refusal(update, { id: data.id, ...wrong })).code, 400, JSON.stringify(wrong))
  const [entry] = await sql(
    `SELECT * FROM audit_log WHERE organization_id = $1 AND action = 'live-stream.update' ORDER BY number LIMIT 1`,
    [client.organizationId],
  )
  assert.match(JSON.stringify(entry), /"latency":"low".*"latency":"normal"/)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(update, { id: data.id, name: 'x' })).code, 403)
  assert.equal((await (await newClient()).refusal(update, { id: data.id, name: 'x' })).code, 404)
})

test('a test picture goes to a stream that runs and has no other signal, for minutes, and to one at a time', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const { data: other } = await client.call(create, { name: 'Pier' })
  await takeIn(data.id)
  assert.equal((await client.refusal(setTest, { id: data.id, on: true })).code, 30029)
  for (const { id } of [data, other]) {
    await takeIn(id)
    await client.call(setTranscoder, { id, on: true })
    await takeIn(id)
  }
  const left = Date.parse((await client.call(setTest, { id: data.id, on: true })).test?.until ?? '') - Date.now()
  assert.ok(left > 200_000 && left <= 301_000, `${left}`)
  assert.notEqual((await client.call(setTest, { id: other.id, on: true })).test, null)
  assert.equal((await client.call(get, { id: data.id })).test, null)
  assert.equal((await client.call(setTest, { id: other.id, on: false })).test, null)
  await sql(
    `UPDATE stream_live SET input = jsonb_build_object('state', 'live', 'since', now(), 'problem', '') WHERE id = $1`,
    [data.id],
  )
  assert.equal((await client.refusal(setTest, { id: data.id, on: true })).code, 30029)
})

test('who may change a stream that runs gets a token for its browser; nobody else does, and another key ends it', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  await takeIn(data.id)
  assert.equal((await client.refusal(publish, { id: data.id })).code, 30029)
  await client.call(setTranscoder, { id: data.id, on: true })
  await takeIn(data.id)
  const { token, until } = await client.call(publish, { id: data.id })
  const [row] = await sql<{ key_hash: string }>('SELECT key_hash FROM stream_live WHERE id = $1', [data.id])
  assert.deepEqual(readPublishToken(api.config, token, Date.now()), { id: data.id, keyHash: row?.key_hash })
  assert.equal(readPublishToken(api.config, token, Date.parse(until) + 1), null)
  assert.equal(readPublishToken(api.config, `${token}x`, Date.now()), null)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(publish, { id: data.id })).code, 403)
  assert.equal((await (await newClient()).refusal(publish, { id: data.id })).code, 404)
  await client.call(rotateKey, { id: data.id })
  const [after] = await sql<{ key_hash: string }>('SELECT key_hash FROM stream_live WHERE id = $1', [data.id])
  assert.notEqual(readPublishToken(api.config, token, Date.now())?.keyHash, after?.key_hash)
  const { data: pulled } = await client.call(create, {
    name: 'Pulled',
    protocol: 'hls',
    originUrl: 'https://a.example/m.m3u8',
  })
  assert.equal((await client.refusal(publish, { id: pulled.id })).code, 404)
})

test('where no address is given for WebRTC, nobody begins by WHIP, and the console is told', async () => {
  const server = fastify()
  await registerWhip(server, { ...api.config, webrtcListen: null }, api.log)
  const headers = { 'content-type': 'application/sdp' }
  assert.equal((await server.inject({ method: 'POST', url: WHIP_PATH, headers, payload: 'v=0' })).statusCode, 404)
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  assert.equal(data.hasWhip, true)
})

test('what comes by WHIP is passed on to the role with the place it came from, and other pages may ask', async () => {
  const asked: { url: string; method: string; headers: http.IncomingHttpHeaders; body: string }[] = []
  const role = http.createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8') as AsyncIterable<string>) body += piece
    if (body === 'wait') return void response.once('close', left.resolve)
    asked.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers, body })
    response.writeHead(201, { location: `${WHIP_PATH}/x`, etag: '"e"', 'content-type': 'application/sdp', server: 'x' })
    response.end('v=0 answer')
  })
  const left = Promise.withResolvers<void>()
  const headers = { 'content-type': 'application/sdp', authorization: 'Bearer live_x' }
  const ask = (method: string, path = WHIP_PATH, body?: string, more: Record<string, string> = headers) =>
    fetch(new URL(path, api.url), { method, headers: more, ...(body === undefined ? {} : { body }) })
  assert.equal((await ask('POST', WHIP_PATH, 'v=0')).status, 503)
  const { host, port } = api.config.mediaListen
  await new Promise<void>((resolve) => role.listen(port, host, resolve))
  try {
    const made = await ask('POST', WHIP_PATH, 'v=0')
    assert.deepEqual([made.status, await made.text()], [201, 'v=0 answer'])
    const shown = ['location', 'etag', 'access-control-allow-origin', 'server'].map((name) => made.headers.get(name))
    assert.deepEqual(shown, [`${WHIP_PATH}/x`, '"e"', '*', null])
    const [first] = asked
    assert.equal(first?.body, 'v=0')
    assert.equal(first?.headers['x-fairway-node'], whipSecret(api.config))
    assert.equal(first?.headers.authorization, 'Bearer live_x')
    assert.equal(first?.headers['x-fairway-from'], '127.0.0.1')
    const preflight = await ask('OPTIONS', WHIP_PATH, undefined, { 'access-control-request-method': 'POST' })
    assert.deepEqual([preflight.status, preflight.headers.get('accept-post')], [204, 'application/sdp'])
    assert.equal((await ask('POST', WHIP_PATH, '{}', { 'content-type': 'application/json' })).status, 415)
    assert.equal((await ask('POST', WHIP_PATH, 'v'.repeat(70_000))).status, 413)
    const signal = AbortSignal.timeout(200)
    await assert.rejects(fetch(new URL(WHIP_PATH, api.url), { method: 'POST', headers, body: 'wait', signal }))
    // Whoever hangs up keeps no place there.
    await left.promise
    await ask('DELETE', `${WHIP_PATH}/a%2F..%2Fb`, undefined, { authorization: 'Bearer live_x' })
    assert.deepEqual(
      asked.slice(1).map(({ url, method }) => `${method} ${url}`),
      [`DELETE ${WHIP_PATH}/a%2F..%2Fb`],
    )
  } finally {
    role.closeAllConnections()
    role.close()
  }
})

test('where serving stops, hosts of videos go and live streams are switched off; when it begins, the hosts come back', async () => {
  const client = await newCustomer(api)
  const { organizationId } = client
  await payWith(api, client, '4242424242424242')
  await client.call(billing.routes.subscribe, { planId: 'business' })
  const ids: string[] = []
  for (const name of ['Harbour', 'Pier', 'Quay']) ids.push((await client.call(create, { name })).data.id)
  const [harbour = '', pier = '', quay = ''] = ids
  for (const id of ids) {
    await takeIn(id)
    if (id !== quay) await client.call(setTranscoder, { id, on: true })
    await takeIn(id)
  }
  let revision: string | null = null
  const published = async () => {
    const rows = await sql<{ key: string }>(
      `DELETE FROM outbox WHERE organization_id = $1 AND kind = 'edge-site' RETURNING key`,
      [organizationId],
    )
    // Or it is out already, where the machine is busy.
    const [last] = await sql<{ revision: string | null }>(
      `SELECT max(revision)::text AS revision FROM publication WHERE kind = 'edge-site' AND key = $1`,
      [`stream:${organizationId}`],
    )
    const isOut = last?.revision !== revision
    revision = last?.revision ?? null
    return rows.length === 0 && isOut ? [`stream:${organizationId}`] : rows.map(({ key }) => key)
  }
  await published()
  const { spentMinor } = await client.call(billing.routes.estimates, {})
  await client.call(billing.routes.setCap, { capMinor: spentMinor, action: 'stop' })
  assert.deepEqual(await published(), [`stream:${organizationId}`])
  const statuses = async () =>
    Object.fromEntries((await client.call(list, {})).data.map(({ name, transcoderStatus: is }) => [name, is]))
  assert.deepEqual(await statuses(), { Harbour: 5, Pier: 5, Quay: 1 })
  const told = (await client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'live-stopped')
  assert.equal(told.length, 1)
  const [entry] = await sql(`SELECT * FROM audit_log WHERE organization_id = $1 AND action = 'live-stream.stop'`, [
    organizationId,
  ])
  assert.match(JSON.stringify(entry), /Harbour.*Pier|Pier.*Harbour/)
  assert.doesNotMatch(JSON.stringify(entry), /Quay/)
  for (const id of ids) await takeIn(id)
  // As a release before left them, which stopped the rest.
  await sql(`UPDATE stream_live SET is_on = true WHERE id = $1`, [harbour])
  await client.call(billing.routes.setCap, { capMinor: spentMinor, action: 'stop' })
  assert.deepEqual(await sql('SELECT is_on FROM stream_live WHERE id = $1', [harbour]), [{ is_on: false }])
  await takeIn(harbour)
  for (const route of [setTranscoder, setRecording, setTest]) {
    assert.equal((await client.refusal(route, { id: harbour, on: true })).code, 7493)
    await client.call(route, { id: harbour, on: false })
  }
  await client.call(billing.routes.setCap, { capMinor: null, action: 'stop' })
  assert.deepEqual(await published(), [`stream:${organizationId}`])
  await client.call(setTranscoder, { id: pier, on: true })
})

test('who has a plan without video switches off and removes all the same, and does nothing else', async () => {
  await sql(
    `INSERT INTO plan SELECT (jsonb_populate_record(p, '{"id": "plain", "ability": []}')).* FROM plan p WHERE id = 'enterprise'`,
    [],
  )
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  await takeIn(data.id)
  await client.call(setTranscoder, { id: data.id, on: true })
  await takeIn(data.id)
  await sql(`UPDATE organization SET plan_id = 'plain' WHERE id = $1`, [client.organizationId])
  for (const route of [setTranscoder, setRecording, setTest]) {
    assert.equal((await client.refusal(route, { id: data.id, on: true })).code, 27005, route.path)
    await client.call(route, { id: data.id, on: false })
  }
  assert.equal((await client.refusal(update, { id: data.id, name: 'x' })).code, 27005)
  await client.call(remove, { id: data.id })
})

test('what lasts is told once: a stream that cannot be encoded, one that nobody sends to, one that nobody watches', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const look = () => api.database.system((tx) => watchLive(tx))
  const found = async () =>
    (await client.call(notifications.routes.list, {})).data
      .filter(({ type }) => type === 'stream')
      .map(({ event, endedAt }) => `${event}${endedAt === null ? '' : ' over'}`)
  const input = async (state: string, problem: string, hours: number) => {
    await sql(
      `UPDATE stream_live SET is_on = true, running_since = now() - interval '1 day', input = jsonb_build_object('state', $2::text, 'problem', $3::text, 'since', now() - make_interval(hours => $4)) WHERE id = $1`,
      [data.id, state, problem, hours],
    )
    await look()
    await look()
  }
  await input('live', 'video-codec', 0)
  await input('ended', 'video-codec', 0)
  assert.deepEqual(await found(), ['live-problem'])
  await input('ended', '', 4)
  assert.deepEqual(await found(), ['live-idle', 'live-problem'])
  await input('live', '', 1)
  assert.deepEqual(await found(), ['live-unwatched', 'live-idle over', 'live-problem over'])
  await sql('UPDATE stream_live SET asked_at = clock_timestamp() WHERE id = $1', [data.id])
  await look()
  assert.equal((await found())[0], 'live-unwatched over')
})

test('the key is told once, kept as a hash, in no list and no audit entry, and replaced by another', async () => {
  const client = await newClient()
  const { data, key } = await client.call(create, { name: 'Harbour' })
  assert.ok(key)
  const kept = async () =>
    (await sql<{ key_hash: string }>('SELECT key_hash FROM stream_live WHERE id = $1', [data.id]))[0]?.key_hash
  assert.equal(await kept(), streamKeyHash(key))
  const { key: other } = await client.call(rotateKey, { id: data.id })
  assert.notEqual(other, key)
  assert.equal(await kept(), streamKeyHash(other))
  const told = JSON.stringify([
    await client.call(list, {}),
    await client.call(get, { id: data.id }),
    await sql('SELECT * FROM audit_log', []),
  ])
  assert.ok(!told.includes(key) && !told.includes(other))
})

test('names are unique, bounds are kept, and strangers and viewers change nothing', async () => {
  const client = await newClient()
  const other = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  assert.equal((await client.refusal(create, { name: 'HARBOUR' })).code, 30014)
  for (const wrong of [
    { keyFrameSeconds: 0 },
    { keyFrameSeconds: 21 },
    { rewindSeconds: 59 },
    { rewindSeconds: 21_601 },
    { name: '' },
  ])
    assert.equal((await client.refusal(create, { name: 'x', ...wrong })).code, 400)
  assert.equal((await other.refusal(rotateKey, { id: data.id })).code, 404)
  assert.equal((await other.call(list, {})).meta.total, 0)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(setTranscoder, { id: data.id, on: true })).code, 403)
  assert.equal((await viewer.call(get, { id: data.id })).name, 'Harbour')
})

test('an encoder that stops is told of once, and that it is back', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const input = (state: string) =>
    sql(
      `UPDATE stream_live SET is_on = true, input = jsonb_build_object('state', $2::text, 'since', now() - interval '20 seconds') WHERE id = $1`,
      [data.id, state],
    )
  const look = () => api.database.system((tx) => watchLive(tx))
  await input('lost')
  await look()
  await look()
  const news = async () =>
    (await client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'live-input-lost')
  assert.deepEqual(
    (await news()).map(({ fields, endedAt }) => [fields['stream'], endedAt]),
    [['Harbour', null]],
  )
  await input('live')
  await look()
  assert.notEqual((await news())[0]?.endedAt, null)
})

test('the edge has the host from the first stream on, and forgets what was removed', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const published = async (kind: string) => {
    const [row] = await sql<{ body: unknown }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [
      kind,
      `stream:${client.organizationId}`,
    ])
    return JSON.stringify(row?.body ?? null)
  }
  await until(async () => (await published('edge-site')).includes(streamHost(api.config, client.organizationId)))
  await client.call(remove, { id: data.id })
  assert.equal((await client.refusal(get, { id: data.id })).code, 404)
  await until(async () => (await published('edge-purges')).includes(`/${data.id}/`))
})

/** As the role leaves a recording that is whole. */
async function sealed(live: string, organizationId: string, reason = ''): Promise<string> {
  const made = { codecs: 'avc1.640015', peakBitrate: 300_000, averageBitrate: 200_000 }
  const rung = { name: '180p', width: 320, height: 180, fps: 25, maxBitrate: 400_000, made }
  const [row] = await sql<{ id: string }>(
    `INSERT INTO stream_recording (organization_id, live_id, state, reason, seconds, bytes, facts, started_at, ended_at) VALUES ($1, $2, 'sealed', $3, 12, 300000, $4, '2026-03-04T05:06:07Z', now()) RETURNING id`,
    [organizationId, live, reason, JSON.stringify({ renditions: [rung], hasAudio: true })],
  )
  return row?.id ?? ''
}
const keepAll = () => keepRecordings(api.database)

test('a recording that is whole becomes a video once, is told of, and both lead to each other', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour', isRecorded: true })
  assert.equal(data.isRecorded, true)
  const first = await sealed(data.id, client.organizationId)
  const second = await sealed(data.id, client.organizationId, 'disk-full')
  await keepAll()
  await keepAll()
  const videos = (await client.call(streamAssets.routes.list, { ordering: 'name' })).data
  assert.deepEqual(videos.map(({ id }) => id).toSorted(), [first, second].toSorted())
  assert.deepEqual(
    videos.map(({ name }) => name),
    ['Harbour 2026-03-04 05.06 (2).mp4', 'Harbour 2026-03-04 05.06.mp4'],
  )
  for (const { state, recordedFrom, renditions, source } of videos) {
    assert.deepEqual([state, recordedFrom], ['processing', { id: data.id, name: 'Harbour' }])
    assert.deepEqual([renditions[0]?.state, source?.seconds, source?.audioCodec], ['done', 12, 'aac'])
  }
  const kept = (await client.call(recordings, { id: data.id })).data
  assert.deepEqual(new Set(kept.map(({ state }) => state)), new Set(['kept']))
  assert.ok(kept.every(({ id, asset }) => asset?.id === id))
  const told = (await client.call(notifications.routes.list, {})).data.map(({ event }) => event)
  assert.deepEqual(told.filter((event) => event.startsWith('live-')).toSorted(), [
    'live-recorded',
    'live-recording-cut',
  ])
  const written = await sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM audit_log WHERE organization_id = $1 AND action = 'live-stream.record'`,
    [client.organizationId],
  )
  assert.equal(written[0]?.n, 2)
  // The video outlives its stream.
  await client.call(remove, { id: data.id })
  const left = (await client.call(streamAssets.routes.list, {})).data
  assert.deepEqual(
    left.map(({ recordedFrom }) => recordedFrom),
    [null, null],
  )
})

test('a recording that cannot become a video keeps no other from it, and is told', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const [stuck, whole] = [await sealed(data.id, client.organizationId), await sealed(data.id, client.organizationId)]
  await sql(`UPDATE stream_recording SET started_at = '2026-01-01' WHERE id = $1`, [stuck])
  // A video of its id is there, as where it was sealed once more after it had become one.
  await sql(
    `INSERT INTO stream_asset (id, organization_id, name, size, created_by) VALUES ($1, $2, 'before.mp4', 1, 'x')`,
    [stuck, client.organizationId],
  )
  await sql(
    `INSERT INTO stream_recording (organization_id, live_id, state, reason, ended_at) VALUES ($1, $2, 'refused', 'no-source', now())`,
    [client.organizationId, data.id],
  )
  await assert.rejects(keepAll(), /stream_asset_pkey/)
  const states = (await client.call(recordings, { id: data.id })).data.map(({ id, state }) => [id, state])
  assert.deepEqual([Object.fromEntries(states)[whole], Object.fromEntries(states)[stuck]], ['kept', 'sealed'])
  const told = (await client.call(notifications.routes.list, {})).data.map(({ event }) => event)
  assert.deepEqual(told.filter((event) => event.startsWith('live-')).toSorted(), ['live-not-recorded', 'live-recorded'])
  await sql('DELETE FROM stream_recording WHERE id = $1', [stuck])
})

test('recording is switched by who may edit, and a recording that runs takes a place among the sources', async () => {
  const client = await newClient()
  const other = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  assert.equal(data.isRecorded, false)
  assert.equal((await client.call(setRecording, { id: data.id, on: true })).isRecorded, true)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(setRecording, { id: data.id, on: false })).code, 403)
  assert.equal((await other.refusal(setRecording, { id: data.id, on: false })).code, 404)
  assert.equal((await other.refusal(recordings, { id: data.id })).code, 404)
  assert.deepEqual((await viewer.call(recordings, { id: data.id })).data, [])
  await sql(
    `INSERT INTO stream_asset (organization_id, name, size, created_by) SELECT $1, 'v' || n || '.mp4', 1, 'x' FROM generate_series(1, 1022) n`,
    [client.organizationId],
  )
  await sql('INSERT INTO stream_recording (organization_id, live_id) VALUES ($1, $2)', [client.organizationId, data.id])
  assert.equal((await client.refusal(create, { name: 'Pier' })).code, 30004)
})

test('that a broadcast could not be recorded is told once', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  await sql(
    `INSERT INTO stream_recording (organization_id, live_id, state, reason, ended_at) VALUES ($1, $2, 'refused', 'no-source', now())`,
    [client.organizationId, data.id],
  )
  await keepAll()
  await keepAll()
  const told = (await client.call(notifications.routes.list, {})).data.filter(
    ({ event }) => event === 'live-not-recorded',
  )
  assert.deepEqual(
    told.map(({ fields }) => fields),
    [{ stream: 'Harbour', reason: 'no-source' }],
  )
})

test('a stream that is fetched has no key; its address is one of HTTP outside, and its token is shown nowhere', async () => {
  const client = await newClient()
  const address = 'https://origin.example/live/main.m3u8?token=hush'
  const { data, key } = await client.call(create, { name: 'Pier', protocol: 'hls', originUrl: address })
  assert.equal(key, null)
  assert.deepEqual([data.protocol, data.originUrl], ['hls', 'https://origin.example/live/main.m3u8'])
  const kept = await sql<{ origin_url: string }>('SELECT origin_url FROM stream_live WHERE id = $1', [data.id])
  assert.equal(kept[0]?.origin_url, address)
  const told = JSON.stringify([
    await client.call(list, {}),
    await client.call(get, { id: data.id }),
    await sql('SELECT * FROM audit_log', []),
  ])
  assert.ok(!told.includes('hush'))
  assert.equal((await client.refusal(rotateKey, { id: data.id })).code, 404)
  for (const wrong of [
    { protocol: 'hls' },
    { protocol: 'hls', originUrl: null },
    { protocol: 'hls', originUrl: '' },
    { protocol: 'rtmp', originUrl: address },
    { protocol: 'srt', originUrl: address },
    ...[
      'file:///etc/passwd',
      'rtmp://origin.example/live',
      'https://user:word@origin.example/a.m3u8',
      'main.m3u8',
      `https://origin.example/${'x'.repeat(2_000)}`,
      'http://127.0.0.1:8080/main.m3u8',
      'http://[::1]/main.m3u8',
      'http://169.254.169.254/latest/',
      'http://0x7f000001/main.m3u8',
    ].map((originUrl) => ({ protocol: 'hls', originUrl })),
  ])
    assert.equal((await client.refusal(create, { name: 'x', ...wrong } as never)).code, 400, JSON.stringify(wrong))
})
