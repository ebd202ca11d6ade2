import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { loadConfig } from '@fairway/platform'
import { CollectorPost } from './collector-post.ts'
import { silentLog } from './testing/server-fixture.ts'

test('rows whose answer was lost go again as they were, under the same name, and newer ones by themselves', async () => {
  const taken: { batch: string | undefined; rows: number[] }[] = []
  const server = http.createServer(async (request, response) => {
    const parts = await request.toArray()
    taken.push({
      batch: request.headers['x-fairway-batch'] as string | undefined,
      rows: JSON.parse(Buffer.concat(parts as Buffer[]).toString()).rows as number[],
    })
    // The first is taken, and nobody hears of it.
    if (taken.length === 1) request.socket.destroy()
    else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const post = new CollectorPost<number>({
    config: loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_NODE_TOKEN: 'x' }),
    at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    route: '/dns-answers/',
    body: (rows) => ({ rows }),
    rowsPerPost: 10,
    waitingMost: 4,
    repeats: true,
    log: silentLog,
  })
  post.add([1, 2], 0)
  for (const end = performance.now() + 10_000; taken.length < 1 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, 100))
  post.add([3], 0)
  for (const end = performance.now() + 10_000; taken.length < 3 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await post.stop()
  assert.deepEqual(
    taken.map(({ rows }) => rows),
    [[1, 2], [1, 2], [3]],
  )
  assert.deepEqual(
    [taken[0]?.batch === taken[1]?.batch, taken[1]?.batch === taken[2]?.batch, post.dropped],
    [true, false, 0],
  )
  server.closeAllConnections()
  server.close()
})
