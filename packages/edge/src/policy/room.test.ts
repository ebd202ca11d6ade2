import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HeldDocument } from '../holdings.ts'
import { keyed } from './policy.ts'
import { bytesOf, policiesMb, policyRoom } from './room.ts'

const MB = 2 ** 20
const HALF = { sizeMb: 16, sharePercent: 50 }
/** A document of so many MB. */
const of = (key: string, mb: number): HeldDocument =>
  keyed(`page:${key}`, 1, { files: { any: 'x'.repeat(mb * MB - 200) } })
const claim = (owner: string | null, documents: HeldDocument[], removed: string[] = []) => ({
  owner,
  documents,
  removed,
})

describe('room for what customers set', () => {
  it('is shared: one organisation has its share and no more, another still its own, and smaller is always taken', () => {
    const room = policyRoom()
    const own = ['a', 'b', 'c', 'd'].map((key) => of(key, 2))
    for (const one of own.slice(0, 3)) room.take(claim('org-1', [one]))
    assert.match(room.refusal([claim('org-1', own.slice(3))], HALF) ?? '', /this organisation has set takes 8\.\d MB/)
    assert.match(room.refusal([claim('org-1', [of('d', 1), of('e', 1)])], HALF) ?? '', /8\.0 MB is its share/)
    assert.equal(room.refusal([claim('org-2', [of('d', 3)])], HALF), null)
    assert.equal(room.refusal([claim('org-1', [of('a', 1)])], { ...HALF, sharePercent: 1 }), null)
    assert.equal(room.refusal([claim(null, [], ['page:a'])], { ...HALF, sharePercent: 1 }), null)
    room.take(claim(null, [], ['page:a']))
    assert.equal(room.refusal([claim('org-1', [of('a', 1)])], HALF), null)
  })

  it('ends below the memory itself, for all together, and is counted over several changes at once', () => {
    const room = policyRoom()
    const all = { sizeMb: 16, sharePercent: 100 }
    for (let i = 0; i < 4; i++) room.take(claim(`org-${i}`, [of(`${i}`, 3)]))
    assert.equal(room.refusal([claim('org-8', [of('8', 1)])], all), null)
    const both = [claim('org-8', [of('8', 1)]), claim('org-9', [of('9', 2)])]
    assert.match(room.refusal(both, all) ?? '', /no room for more settings: 12\.\d MB of 16 MB/)
    assert.equal(room.refusal([claim('org-0', [of('0', 2)])], { ...all, sizeMb: 4 }), null)
  })

  it('is kept for purges and certificates where settings have none left', () => {
    const room = policyRoom()
    for (const key of ['a', 'b', 'c', 'd']) room.take(claim('org-1', [of(key, 1.95)]))
    const more = (key: string) => claim('org-1', [keyed(key, 1, { keyAuthorization: 'x'.repeat(MB) })])
    assert.match(room.refusal([more('host:e.test')], HALF) ?? '', /is its share/)
    assert.equal(room.refusal([more('challenge:e.test/token')], HALF), null)
    room.take(more('challenge:e.test/token'))
    room.take(more('challenge:f.test/token'))
    assert.match(room.refusal([more('challenge:g.test/token')], HALF) ?? '', /is its share/)
  })

  it('takes no single document that would keep a worker from its visitors', () => {
    assert.match(policyRoom().refusal([claim(null, [of('a', 5)])], HALF) ?? '', /4\.0 MB is the most/)
  })

  it('is what the setting says, else by the machine, and never less than what is there already', () => {
    assert.equal(policiesMb({ edgePoliciesMb: 0 }, 0, 1024 * MB), 128)
    assert.equal(policiesMb({ edgePoliciesMb: 0 }, 0, 65_536 * MB), 4096)
    assert.equal(policiesMb({ edgePoliciesMb: 16 }, 0, 65_536 * MB), 16)
    assert.equal(policiesMb({ edgePoliciesMb: 16 }, 90 * MB, 1024 * MB), 100)
  })

  it('counts what the text is there, strokes twice', () => {
    const [plain, strokes] = ['x', '/'].map((letter) =>
      bytesOf(keyed('page:a', 1, { files: { any: letter.repeat(10_000) } })),
    )
    assert.ok(strokes !== undefined && plain !== undefined && strokes - plain >= 8192, `${plain} ${strokes}`)
  })
})
