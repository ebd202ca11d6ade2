import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { registerHooks } from 'node:module'
import { beforeEach, describe, it } from 'node:test'
import type { PolicyDocument, PurgeDocument } from '../policy/documents.ts'
import { useRooms } from '../policy/shares.ts'
import { Memory } from '../testing/memory.ts'

// A library of nginx's Lua, which nothing here asks for anything.
registerHooks({
  resolve: (name, context, next) =>
    name === 'cjson.safe'
      ? { url: 'data:text/javascript,export const encode = JSON.stringify', shortCircuit: true }
      : next(name, context),
})
const { invalidate, objectKeys, rememberTags } = await import('./stored-object.ts')
const { beginRequest, setFlag } = await import('../policy/held.ts')

const DAY = 86_400
let now = 1_800_000_000
/** When the request that is answered began; else now. */
let began: number | undefined
const memory = (entries: number) => new Memory(entries, () => now)
let shared: Record<'policies' | 'invalidated' | 'tags' | 'counters', Memory>
const counted = (what: string) => shared.counters.get(what)[0] ?? 0

const policyOf = (organizationId: string) =>
  ({
    organizationId,
    domainId: `domain-of-${organizationId}`,
    cache: { generation: 'g', tiered: false, ignoreQuery: false },
  }) as unknown as PolicyDocument
const [MINE, THEIRS] = [policyOf('mine'), policyOf('theirs')]
const purgesOf = (tags: Record<string, number>): PurgeDocument => {
  const marks = { all: 0, allOf: {}, paths: {}, urls: {}, directories: {}, heads: {}, hasDirectories: false, tags }
  return {
    marks,
    hasUrls: false,
    hasTags: true,
    hasSoft: false,
    newestTagAt: Math.max(...Object.values(tags)),
  } as unknown as PurgeDocument
}
/** Under which key somebody who asks for a path would look. */
function keyOf(policy: PolicyDocument, path: string, purges?: PurgeDocument): string {
  beginRequest()
  Object.assign(ngx.var, { request_uri: path })
  return `${objectKeys(policy, purges, '', `${policy.organizationId}.test`, path).edge}${path}`
}

beforeEach(() => {
  shared = { policies: memory(1000), invalidated: memory(50), tags: memory(400), counters: memory(100) }
  const digest = (text: string) => crypto.createHash('md5').update(text).digest('latin1')
  Object.assign(globalThis, {
    ngx: {
      shared,
      now: () => now,
      md5_bin: digest,
      log: () => {},
      ERR: 4,
      var: { scheme: 'https' },
      req: { start_time: () => began ?? now },
    },
    tonumber: (text: unknown) => (text === undefined ? undefined : Number(text)),
  })
  useRooms(1, 1, 1, 100)
  now += 100 * DAY
  shared.policies.set('epoch', String(now))
  beginRequest()
  setFlag('tags_known')
})

describe('what POST has made old', () => {
  const post = (policy: PolicyDocument, path: string) => {
    beginRequest()
    now += 1
    invalidate(policy, `${policy.organizationId}.test`, path)
  }

  it('beyond the memory for it empties the cache of whoever posts, and nobody else’s', () => {
    post(THEIRS, '/form')
    const [page, form] = [keyOf(THEIRS, '/page'), keyOf(THEIRS, '/form')]
    const mine = keyOf(MINE, '/page')
    for (let i = 0; i < 60; i++) post(MINE, `/p${i}`)
    assert.equal(counted('invalidations_forgotten'), 11)
    assert.deepEqual([keyOf(THEIRS, '/page'), keyOf(THEIRS, '/form')], [page, form])
    assert.notEqual(keyOf(MINE, '/page'), mine, 'rather fetched once too often than an old page shown again')
    const known = keyOf(MINE, '/p1')
    post(MINE, '/p1')
    assert.notEqual(keyOf(MINE, '/p1'), known)
    const epoch = shared.policies.get('epoch')[0]
    post(MINE, '/another')
    assert.equal(shared.policies.get('epoch')[0], epoch, 'workers keep what they have found')
  })

  it('leaves the memory when no stored object can be so old', () => {
    for (let i = 0; i < 50; i++) post(MINE, `/p${i}`)
    now += 7 * DAY
    post(MINE, '/new')
    assert.equal(counted('invalidations_forgotten'), 1)
    now += DAY
    post(MINE, '/newer')
    assert.equal(counted('invalidations_forgotten'), 1)
  })
})

describe('tags of stored objects', () => {
  const store = (policy: PolicyDocument, path: string, tags: string) => {
    const key = keyOf(policy, path)
    rememberTags(key, policy, undefined, tags)
    return key
  }

  it('of one address are any after more than are remembered, and no more is written', () => {
    for (let i = 0; i < 500; i++) store(MINE, '/a', `t${i}`)
    const sizes = [...shared.tags.entries.values()].map(({ value }) => String(value).length)
    assert.ok(Math.max(...sizes) < 5000)
    const at = (now + 1) * 1000
    assert.notEqual(keyOf(MINE, '/a', purgesOf({ never: at })), keyOf(MINE, '/a', purgesOf({ never: 1 })))
  })

  it('count from when the origin was asked: what comes after a purge and is from before it is not shown', () => {
    began = now
    now += 10
    const key = store(MINE, '/slow', 'x')
    began = undefined
    assert.notEqual(keyOf(MINE, '/slow', purgesOf({ x: (now - 5) * 1000 })), key)
    assert.equal(keyOf(MINE, '/slow', purgesOf({ x: (now - 15) * 1000 })), key)
  })

  it('are not known of what only others have fetched: the cache that is shared with them goes with any', () => {
    const tiered = { ...MINE, cache: { ...MINE.cache, tiered: true } }
    const tierOf = (purges?: PurgeDocument) => objectKeys(tiered, purges, '', 'mine.test', '/theirs').tier
    const purged = [undefined, purgesOf({ x: 1000 }), purgesOf({ x: 1000, y: 2000 })].map(tierOf)
    assert.equal(new Set(purged).size, 3)
  })

  it('of one customer are as many as its share: its oldest go, nobody else’s', () => {
    store(THEIRS, '/a', 'x')
    for (let i = 0; i < 150; i++) store(MINE, `/p${i}`, 'x')
    assert.equal(counted('tags_forgotten'), 50)
    const purged = purgesOf({ other: (now + 1) * 1000 })
    assert.equal(keyOf(THEIRS, '/a', purged), keyOf(THEIRS, '/a'))
    assert.equal(keyOf(THEIRS, '/never-tagged', purged), keyOf(THEIRS, '/never-tagged'))
    assert.equal(keyOf(MINE, '/p149', purged), keyOf(MINE, '/p149'))
    assert.notEqual(keyOf(MINE, '/p0', purged), keyOf(MINE, '/p0'), 'forgotten: it may have had any')
  })

  it('stay where the memory is full of those of others', () => {
    useRooms(1, 1, 1, 1000)
    store(THEIRS, '/a', 'x')
    for (let i = 0; i < 400; i++) store(MINE, `/p${i}`, 'x')
    assert.ok(Number(counted('tags_forgotten')) > 100)
    const theirs = purgesOf({ x: (now + 1) * 1000 })
    assert.notEqual(keyOf(THEIRS, '/a', theirs), keyOf(THEIRS, '/a'))
    const other = purgesOf({ other: (now + 1) * 1000 })
    assert.equal(keyOf(THEIRS, '/a', other), keyOf(THEIRS, '/a'))
  })
})
