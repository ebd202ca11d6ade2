import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { nginxAdmin } from './apply.ts'
import { keyed } from './policy/policy.ts'

test('documents go to nginx in batches that it takes, whatever they hold, the rest of the news with the last', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-apply-'))
  const taken: { bytes: number; keys: string[]; primed: boolean; names: object }[] = []
  const server = http.createServer(async (request, response) => {
    const body = await text(request)
    const { documents, primed, names } = JSON.parse(body) as {
      documents: { key: string }[]
      primed: boolean
      names: object
    }
    taken.push({ bytes: body.length, keys: documents.map(({ key }) => key), primed, names })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  t.after(() => {
    server.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const socket = path.join(folder, 'a.sock')
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const sizes = [...Array.from({ length: 40 }, () => 300_000), 3_000_000, ...Array.from({ length: 1500 }, () => 10)]
  const documents = sizes.map((size, i) => keyed(`challenge:${i}`, 1, { keyAuthorization: 'x'.repeat(size) }))
  await nginxAdmin(socket).apply({ documents, names: { 'a.test': ['192.0.2.1'] }, primed: true })
  assert.deepEqual(
    taken.flatMap(({ keys }) => keys),
    documents.map(({ key }) => key),
  )
  assert.deepEqual(
    taken.map(({ primed }) => primed),
    [...taken.slice(1).map(() => false), true],
  )
  assert.deepEqual(taken[0]?.names, { 'a.test': ['192.0.2.1'] })
  for (const { bytes, keys } of taken)
    assert.ok(keys.length <= 1 || (bytes < 1_200_000 && keys.length <= 1000), `${bytes}`)
  taken.length = 0
  await nginxAdmin(socket).apply({ removed: ['a'] })
  assert.equal(taken.length, 1)
})
