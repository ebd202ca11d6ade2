import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import { describe, it } from 'node:test'
import type { Acknowledgement, Publication } from '@fairway/contract'
import { freePort, controlRequest, controlText, runDir } from '@fairway/platform'
import { startEdge } from './role.ts'
import { edgeConfig, eventually, recordingLog, siteOf, startOrigin, temporaryHome } from './testing/edge-under-test.ts'

/** The API's side of the wire: registers anybody, sends these publications, keeps what is acknowledged. */
async function startFeedServer(publications: Publication[]) {
  const acknowledged: Acknowledgement[] = []
  const streams = new Set<http.ServerResponse>()
  let epoch = crypto.randomUUID()
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    if (request.url === '/nodes/v1/register/') return void response.end(JSON.stringify({ nodeId: 'node-1', epoch }))
    if (request.url === '/nodes/v1/node-1/acknowledgements/') {
      acknowledged.push(
        ...(JSON.parse(Buffer.concat(chunks).toString()) as { acknowledgements: Acknowledgement[] }).acknowledgements,
      )
      return void response.end('{"stored":1}')
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const publication of publications) response.write(`data: ${JSON.stringify(publication)}\n\n`)
    response.write(': whole\n\n')
    streams.add(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    acknowledged,
    /** Is as it was when it had published these alone. */
    restoredTo(these: Publication[]) {
      epoch = crypto.randomUUID()
      publications = these
      for (const stream of streams) stream.destroy()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('the edge role', () => {
  it('acknowledges what it serves and refuses, with the reason, what it cannot', async () => {
    const home = temporaryHome()
    await using origin = await startOrigin((_, response) => void response.end('served'))
    const bad = siteOf('bad', 2, [{ host: 'bad.test', origin: origin.origin({ hostHeader: 'no good' }) }])
    await using api = await startFeedServer([siteOf('good', 1, [{ origin: origin.origin() }]), bad])
    const config = await edgeConfig(home, { FAIRWAY_API_URL: api.url })
    await using _edge = await startEdge({ config, log: recordingLog() })
    await eventually(() => assert.equal(api.acknowledged.length, 2))
    const of = (key: string) => api.acknowledged.find((entry) => entry.key === key)
    assert.deepEqual(of('good'), { kind: 'edge-site', key: 'good', version: 1, ok: true, reason: null })
    assert.deepEqual([of('bad')?.ok, of('bad')?.reason], [false, '"no good" is no host name or address'])
    const page = await fetch(`http://${config.edgeHttp.host}:${config.edgeHttp.port}/.well-known/cdn/health`)
    assert.equal(await page.text(), 'ok\n')
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('serves nothing that was published in a time that a restore has made undone', async () => {
    const home = temporaryHome()
    await using origin = await startOrigin((_, response) => void response.end('served'))
    const [kept, lost] = ['kept', 'lost'].map((name) =>
      siteOf(name, 5, [{ host: `${name}.test`, origin: origin.origin() }]),
    )
    assert.ok(kept && lost)
    await using api = await startFeedServer([kept, lost])
    const config = await edgeConfig(home, { FAIRWAY_API_URL: api.url })
    await using _edge = await startEdge({ config, log: recordingLog() })
    await eventually(() => assert.equal(api.acknowledged.length, 2))
    const held = () => fs.readdirSync(`${home}/nodes/edge/sites`).sort()
    assert.deepEqual(held(), ['kept.json', 'lost.json'])
    api.restoredTo([{ ...kept, version: 4 } as Publication])
    await eventually(() => assert.deepEqual(held(), ['kept.json']))
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('takes sites that come together in one go, also when a name moves from one of them to another', async () => {
    const home = temporaryHome()
    await using origin = await startOrigin((_, response) => void response.end('served'))
    const site = (siteId: string, version: number, host: string) =>
      siteOf(siteId, version, [{ host, origin: origin.origin() }])
    await using api = await startFeedServer([
      site('a', 1, 'moves.test'),
      site('b', 1, 'stays.test'),
      site('c', 1, 'one.test'),
      site('a', 2, 'other.test'),
      site('c', 2, 'one.test'),
      site('d', 1, 'moves.test'),
    ])
    const config = await edgeConfig(home, { FAIRWAY_API_URL: api.url })
    await using _edge = await startEdge({ config, log: recordingLog() })
    const versions = () =>
      Object.fromEntries(api.acknowledged.map(({ key, version, ok }) => [key, ok ? version : 'refused']))
    await eventually(() => assert.deepEqual(versions(), { a: 2, b: 1, c: 2, d: 1 }))
    const { host, port } = config.edgeHttp
    const statusOf = (name: string) =>
      new Promise((resolve, reject) =>
        http
          .get({ host, port, path: '/', headers: { host: name } }, (response) => resolve(response.resume().statusCode))
          .on('error', reject),
      )
    for (const name of ['moves.test', 'stays.test', 'one.test', 'other.test'])
      assert.equal(await statusOf(name), 200, name)
    for (const key of ['a', 'b', 'c', 'd']) assert.ok(fs.existsSync(`${home}/nodes/edge/sites/${key}.json`), key)
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('is ready without the API and says so, with figures', async () => {
    const home = temporaryHome()
    const config = await edgeConfig(home, { FAIRWAY_API_URL: `http://127.0.0.1:${await freePort()}` })
    {
      await using _edge = await startEdge({ config, log: recordingLog() })
      const socket = `unix:${runDir(config)}/edge.sock`
      const state = (await controlRequest(socket, 'GET', '/readyz')) as {
        ready: boolean
        facts: { feedConnected: boolean }
      }
      assert.deepEqual([state.ready, state.facts.feedConnected], [true, false])
      const metrics = await controlText(socket, 'GET', '/metrics')
      assert.match(metrics, /fairway_edge_nginx_up\{role="edge"\} 1/)
      assert.match(metrics, /fairway_edge_events_total\{what="unknown_hosts",role="edge"\} 0/)
    }
    fs.rmSync(home, { recursive: true, force: true })
  })
})
