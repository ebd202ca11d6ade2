import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { BackupError, Chain, baseKey, loadConfig, proofOf, written } from '@fairway/platform'
import { pruneChain } from './prune-chain.ts'

/** A chain of so many backups, oldest first, without a database behind it. */
async function chainOf(t: { after(fn: () => void): void }, count: number) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-prune-'))
  t.after(() => fs.rmSync(place, { recursive: true, force: true }))
  const facts = { systemIdentifier: '1', postgres: '17', segmentBytes: 1 << 24 }
  const chain = await Chain.begin(place, loadConfig({ FAIRWAY_HOME: place }), 'a passphrase', facts)
  const bases: { key: string; listing: string }[] = []
  for (let n = 1; n <= count; n++) {
    const plain = written({ label: `${n}`, folders: [], files: [], home: [], events: {}, tables: {}, zones: {} })
    const [listing, lsn, at] = [chain.nameOf(plain), `${n}/0`, `2026-01-0${n}T00:00:00.000Z`]
    await chain.put(listing, plain)
    const figures = { events: false, rows: 0, addedBytes: 0, wholeBytes: 0, timeline: 1 }
    const point = { name: 'moment', at: lsn }
    const base = { at, version: '1', schema: [], start: lsn, stop: lsn, point, ...figures, listing: [listing] }
    await chain.put(baseKey(at), written(base))
    bases.push({ key: baseKey(at), listing })
  }
  const address = (name: string) => chain.storage.address(name)
  return {
    chain,
    bases,
    prove: (n: number) => fs.writeFileSync(address(proofOf(bases[n]?.key ?? '')), ''),
    damage: (n: number) => fs.writeFileSync(address(bases[n]?.listing ?? ''), 'rotten'),
    left: () => bases.map(({ key, listing }) => fs.existsSync(address(key)) && fs.existsSync(address(listing))),
  }
}

test('pruning takes nothing where no proven backup that stays can be read', async (t) => {
  for (const damaged of [[2], [0, 1, 2]]) {
    const { chain, bases, prove, damage, left } = await chainOf(t, 3)
    prove(2)
    for (const n of damaged) damage(n)
    await assert.rejects(pruneChain(chain, 1, null), BackupError, `${damaged}`)
    assert.deepEqual(left(), [true, true, true])
    // One whose proof has failed since is no proven one.
    if (damaged.length === 1) {
      prove(1)
      await assert.rejects(pruneChain(chain, 1, bases[1]?.key ?? ''), BackupError)
      assert.deepEqual(left(), [true, true, true])
    }
  }
})

test('what cannot be read counts for none of those that stay: the newest readable one and the newest proven one do', async (t) => {
  const { chain, prove, damage, left } = await chainOf(t, 4)
  prove(1)
  damage(3)
  await pruneChain(chain, 1, null)
  assert.deepEqual(left(), [false, true, true, false])
})
