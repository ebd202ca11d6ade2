import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { CachedObjectsQuestion } from '@fairway/contract'
import type { PolicyDocument } from '@fairway/edge-lua'
import { type InForce, objectFinder } from './cached-objects.ts'

const HOST = 'www.example.test'
let cache: string
let files = 0
before(() => (cache = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-objects-'))))
after(() => fs.rmSync(cache, { recursive: true, force: true }))

/** A file as nginx writes it: its own header, the key, the answer. */
function store(target: string, headers = ''): void {
  const name = (files++).toString(16).padStart(32, '0')
  const folder = path.join(cache, name.slice(-1), name.slice(-3, -1))
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(folder, name),
    `nginx\nKEY: |http|${HOST}|g1|0|0|${target}\nHTTP/1.1 200 OK\r\nDate: Tue, 01 Jan 2030 00:00:00 GMT\r\nX-Fairway-At: 1\r\n${headers}\r\nbody`,
  )
}

const inForce: InForce = {
  policyOf: () => ({ host: HOST, cache: { generation: 'g1' } }) as PolicyDocument,
  purges: undefined,
  lies: () => false,
}
const asking = (value: string): CachedObjectsQuestion => ({ domainId: 'one', host: HOST, kind: 'url', values: [value] })

test('many questions at once are answered by one walk, each with its own objects', async () => {
  for (let i = 0; i < 50; i++) store(`/at-once/${i}`)
  let folders = 0
  const read = fs.readdirSync
  fs.readdirSync = ((...all: Parameters<typeof read>) => {
    folders += 1
    return read(...all)
  }) as typeof read
  try {
    const find = objectFinder(cache, 60_000)
    await find(asking('/nothing'), inForce)
    const once = folders
    const found = await Promise.all(Array.from({ length: 50 }, (_, i) => find(asking(`/at-once/${i}`), inForce)))
    assert.deepEqual(
      found.map(({ objects, complete, samples }) => [objects, complete, samples[0]?.target]),
      found.map((_, i) => [1, true, `/at-once/${i}`]),
    )
    // The first may begin to walk at once; all others go together.
    assert.ok(folders <= once * 3, `${folders} folders were read, ${once} for one walk`)
  } finally {
    fs.readdirSync = read
  }
})

test('an object with the longest head that nginx takes is found by the tag at its end', async () => {
  for (const kb of [9, 31]) {
    store(`/long-head/${kb}`, `Link: ${'a'.repeat(kb * 1024)}\r\nCache-Tag: long-${kb}\r\n`)
    const asked: CachedObjectsQuestion = { domainId: 'one', host: HOST, kind: 'tag', values: [`long-${kb}`] }
    const { objects, bytes, samples } = await objectFinder(cache, 60_000)(asked, inForce)
    assert.deepEqual([objects, bytes, samples[0]?.target], [1, 4, `/long-head/${kb}`])
  }
})

test('what was stored before a question is found, although a walk was under way', async () => {
  const find = objectFinder(cache, 60_000)
  const before = find(asking('/later'), inForce)
  store('/later')
  const after = await find(asking('/later'), inForce)
  assert.deepEqual([after.objects, after.complete], [1, true])
  await before
})

test('a walk that takes too long says that it saw not all', async () => {
  const { complete } = await objectFinder(cache, -1)(asking('/at-once/1'), inForce)
  assert.equal(complete, false)
})

test('who asked for a walk that fails is told, and the next is answered', async () => {
  const find = objectFinder(cache, 60_000)
  const broken: InForce = {
    ...inForce,
    policyOf: () => {
      throw new Error('broken')
    },
  }
  await assert.rejects(find(asking('/at-once/1'), broken), /broken/)
  assert.equal((await find(asking('/at-once/1'), inForce)).objects, 1)
})
