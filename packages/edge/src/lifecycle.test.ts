import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, it } from 'node:test'
import { configEnvironment, Problem } from '@fairway/platform'
import { startAgent } from './agent.ts'
import { findNginx } from './nginx/program.ts'
import {
  EDGE,
  NORTH,
  edgeConfig,
  eventually,
  recordingLog,
  simulatedCdn,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from './testing/edge-under-test.ts'

/** Running, and not only waiting for somebody to ask how it ended. */
const alive = (pid: number) =>
  fs.existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
const workersOf = (pid: number | null) =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
const website = () =>
  startOrigin((_, response) => void response.writeHead(200, { 'cache-control': 'no-store' }).end('from the origin'))

describe('nginx that dies', () => {
  it('is back with every policy and fault', async () => {
    await using edge = await startEdgeUnderTest()
    await using origin = await website()
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    await edge.publish(simulatedCdn('North', NORTH, 1, { mode: 'errors', percent: 100 }))
    const before = edge.agent.nginx.pid()
    assert.ok(before)
    const orphans = workersOf(before)
    process.kill(before, 'SIGKILL')
    await eventually(() => assert.notEqual(edge.agent.nginx.pid(), before))
    await eventually(async () => assert.equal((await edge.get('www.example.test')).text, 'from the origin'))
    assert.equal((await edge.get('www.example.test', '/', { at: NORTH })).status, 503)
    await eventually(() => assert.deepEqual(orphans.filter(alive), []))
    await eventually(() => assert.deepEqual([edge.agent.reasons().ready, edge.agent.nginx.restarts()], [true, 1]))
  })

  it('does not make a publication of that moment be refused', async () => {
    await using edge = await startEdgeUnderTest()
    await using origin = await website()
    process.kill(edge.agent.nginx.pid() ?? 0, 'SIGKILL')
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    await eventually(() => assert.ok(edge.agent.nginx.restarts() === 1 && edge.agent.reasons().ready))
    await edge.publish(siteOf('second', 1, [{ host: 'second.test', origin: origin.origin() }]))
    for (const host of ['www.example.test', 'second.test']) assert.equal((await edge.get(host)).text, 'from the origin')
  })

  it('in one worker only, loses nothing that was pushed', async () => {
    await using edge = await startEdgeUnderTest()
    await using origin = await website()
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    for (const worker of workersOf(edge.agent.nginx.pid())) process.kill(worker, 'SIGKILL')
    await eventually(async () => assert.equal((await edge.get('www.example.test')).text, 'from the origin'))
    assert.equal(edge.agent.nginx.restarts(), 0)
  })
})

describe('the agent', () => {
  it('serves from its disk when it starts again, damaged documents apart', async () => {
    const home = temporaryHome()
    await using origin = await website()
    {
      await using edge = await startEdgeUnderTest(home)
      await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
      await edge.publish(siteOf('other', 1, [{ host: 'other.test', origin: origin.origin() }]))
      await edge.publish(simulatedCdn('North', NORTH, 1, { mode: 'down' }))
    }
    fs.writeFileSync(path.join(home, 'nodes/edge/sites/other.json'), '{"key":"other","docum')
    await using edge = await startEdgeUnderTest(home)
    assert.equal((await edge.get('www.example.test')).text, 'from the origin')
    assert.equal((await edge.get('other.test')).status, 421)
    await assert.rejects(edge.get('www.example.test', '/', { at: NORTH }))
    assert.ok(edge.log.lines.some((line) => line.event === 'document.damaged'))
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('that was killed leaves an nginx which goes on serving and which the next one takes over', async () => {
    const home = temporaryHome()
    const config = await edgeConfig(home)
    const program = `import { startAgent } from ${JSON.stringify(path.join(import.meta.dirname, 'agent.ts'))}
      import { loadConfig, makeLog } from '@fairway/platform'
      const config = loadConfig()
      const agent = await startAgent({ config, log: makeLog('edge', { logLevel: 'error' }) })
      process.stdout.write(String(agent.nginx.pid()))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], ...configEnvironment(config) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const orphan = Number(await new Promise((resolve) => child.stdout.once('data', resolve)))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    assert.ok(alive(orphan))
    {
      await using agent = await startAgent({ config, log: recordingLog() })
      assert.deepEqual([agent.nginx.pid(), agent.nginx.adopted(), agent.reasons().ready], [orphan, true, true])
    }
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('lets a request under way finish', async () => {
    const edge = await startEdgeUnderTest()
    await using origin = await startOrigin((_, response) => void setTimeout(() => response.end('finished'), 300))
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    const page = edge.get('www.example.test')
    await eventually(() => assert.equal(origin.asked.length, 1))
    await edge[Symbol.asyncDispose]()
    assert.equal((await page).text, 'finished')
  })

  it('refuses what nginx cannot take, and the version before stays in force', async () => {
    await using edge = await startEdgeUnderTest()
    await using origin = await website()
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    await assert.rejects(
      edge.publish(siteOf('site', 2, [{ origin: origin.origin({ hostHeader: 'a\r\nx-injected: 1' }) }])),
      /no host name/,
    )
    const huge = {
      origin: origin.origin({ addresses: Array.from({ length: 30_000 }, (_, i) => `${'a'.repeat(200)}${i}`) }),
    }
    await assert.rejects(edge.publish(siteOf('site', 3, [{ origin: origin.origin({ port: 1 }) }, huge])))
    assert.equal((await edge.get('www.example.test')).text, 'from the origin')
    assert.equal(origin.asked.at(-1)?.headers['host'], 'origin.example.test')
  })

  it('says in one sentence which address is taken', async () => {
    const home = temporaryHome()
    const config = await edgeConfig(home)
    const squatter = net.createServer()
    await new Promise<void>((resolve) => squatter.listen(config.edgeHttp.port, EDGE, resolve))
    await assert.rejects(
      startAgent({ config, log: recordingLog() }),
      (error) =>
        error instanceof Problem &&
        error.message.startsWith(`${EDGE}:${config.edgeHttp.port} is taken by another program.`),
    )
    squatter.close()
    fs.rmSync(home, { recursive: true, force: true })
  })

  it('says what to install when nginx or its Lua module is missing', async () => {
    await assert.rejects(findNginx(['/nonexistent']), /nginx is not installed.*apt-get install .*libnginx-mod-http-lua/)
    const folder = temporaryHome()
    fs.writeFileSync(
      path.join(folder, 'nginx'),
      `#!/bin/sh\necho 'configure arguments: --modules-path=${folder}' >&2\n`,
      { mode: 0o755 },
    )
    await assert.rejects(
      findNginx([folder]),
      /module ndk_http_module.so is not in .*apt-get install .*libnginx-mod-http-lua/,
    )
    fs.rmSync(folder, { recursive: true, force: true })
  })
})

describe('rubbish from visitors', () => {
  const HOST = 'Host: www.example.test\r\n'
  const RUBBISH = [
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.0\r\n\r\n',
    `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`,
    `GET / HTTP/9.9\r\n${HOST}\r\n`,
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n${HOST}\r\n`,
    `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 30\r\n\r\nabc`,
    `POST / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\nzz\r\n`,
    `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx`,
    `GET / HTTP/1.1\r\n${HOST}X: ${'y'.repeat(60_000)}\r\n\r\n`,
    `GET /${'z'.repeat(60_000)} HTTP/1.1\r\n${HOST}\r\n`,
    `GET /%00%0d%0aX:%20y HTTP/1.1\r\n${HOST}\r\n`,
    'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: ../../etc\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: ${'a.'.repeat(120)}test\r\n\r\n`,
    `GET http://other.test/ HTTP/1.1\r\n${HOST}\r\n`,
    `GET / HTTP/1.1\r\n${HOST}CDN-Loop: ${','.repeat(5000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}X-Fairway-Host: evil\r\nX-Fairway-Host: worse\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Range: bytes=0-0,${'0-0,'.repeat(1000)}1-2\r\n\r\n`,
    '\x00\x01\x02\xff\xfe',
    '\x16\x03\x01\x00\x05hello',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00',
    `\u{1F4A9} / HTTP/1.1\r\n${HOST}\r\n`,
    `CONNECT www.example.test:443 HTTP/1.1\r\n${HOST}\r\n`,
    `TRACE / HTTP/1.1\r\n${HOST}\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n\xff\xff\xff`,
    `GET / HTTP/1.1\r\n${HOST}If-None-Match: "${'"'.repeat(3000)}\r\nIf-Modified-Since: never\r\n\r\n`,
    `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 99999999999999999999\r\n\r\n`,
  ]
  it('is answered or cut off; no worker dies and the next visitor is served', async () => {
    await using edge = await startEdgeUnderTest()
    await using origin = await website()
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    const workers = workersOf(edge.agent.nginx.pid())
    for (const at of [edge.config.edgeHttp, edge.config.edgeHttps])
      for (const text of RUBBISH) await sendRaw(at.port, text)
    assert.deepEqual(workersOf(edge.agent.nginx.pid()), workers)
    assert.equal((await edge.get('www.example.test')).text, 'from the origin')
    assert.ok(
      !origin.asked.some((request) => request.url === '/smuggled' && request.headers['content-length']),
      'a smuggled body was taken for a request',
    )
    assert.ok(!origin.asked.some((request) => request.headers['x-fairway-host'] !== undefined))
    assert.ok(
      !edge.log.lines.some((line) => /lua entry thread aborted|runtime error/.test(String(line['line']))),
      JSON.stringify(edge.log.lines),
    )
  })
})

function sendRaw(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(port, EDGE, () => socket.end(Buffer.from(text, 'latin1')))
    socket
      .on('data', () => {})
      .on('error', () => resolve())
      .on('close', () => resolve())
    socket.setTimeout(3000, () => socket.destroy())
  })
}
