import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { systemEnvironment } from './config.ts'
import { freePorts } from './free-ports.ts'

/** More than a range holds, so that every process takes several. */
const MANY = 150
const FREE_PORTS = path.join(import.meta.dirname, 'free-ports.ts')
const DRAW = `
  import { freePorts } from ${JSON.stringify(FREE_PORTS)}
  const ports = await Promise.all(Array.from({ length: 10 }, () => freePorts(${MANY / 10}, ['127.0.0.1'])))
  process.stdout.write(JSON.stringify(ports.flat()) + '\\n')
  process.stdin.resume()
`

test('processes that ask for ports at the same time are never given the same one', async (t) => {
  const drawn = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', DRAW]
      const child = spawn(process.execPath, words, { env: systemEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] })
      // Each lives until all have drawn.
      t.after(() => child.stdin.end())
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
      return JSON.parse(String(line)) as number[]
    }),
  )
  const all = [...drawn.flat(), ...(await freePorts(MANY, ['127.0.0.1']))]
  assert.equal(new Set(all).size, 5 * MANY)
  assert.ok(all.every((port) => port > 20_000 && port < 32_000))
})

test('a port that is taken at one of the addresses, for TCP or UDP, is passed over', async (t) => {
  const [before = 0] = await freePorts(1, ['127.0.0.1'])
  const server = net.createServer()
  const socket = dgram.createSocket('udp4')
  t.after(() => (server.close(), socket.close()))
  await once(server.listen(before + 1, '127.0.0.2'), 'listening')
  await once(socket.bind(before + 2, '127.0.0.3'), 'listening')
  const after = await freePorts(5, ['127.0.0.1', '127.0.0.2', '127.0.0.3'])
  assert.deepEqual(
    after.filter((port) => port <= before + 2 && port >= before),
    [],
  )
})
