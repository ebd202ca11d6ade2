import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import { PATCHED_FROM_SETS, patchedZone } from '@fairway/domain/lean'
import { builderOf, NOW } from '../testing/builder-fixture.ts'
import { signingBy, zoneKey } from '../testing/key-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

const DAY_MS = 86_400_000
const signing = signingBy(zoneKey())
const zoneAt = (version: number, address: string): DnsZone =>
  zoneOf('signed.test', `www 300 A ${address}`, { signing, version })
const LINES = Array.from({ length: PATCHED_FROM_SETS }, (_, at) => `n${at} 300 A 192.0.2.9`)
/** A large zone in the order of the publisher, and what a change of one name is told as. */
const large = (extra: Partial<DnsZone> = {}): DnsZone => {
  const zone = zoneOf('signed.test', ['www 300 A 192.0.2.1', ...LINES].join('\n'), extra)
  const rest = zone.rrsets.slice(2).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { ...zone, rrsets: [...zone.rrsets.slice(0, 2), ...rest] }
}
const patchOf = (whole: DnsZone, since: number, version: number): DnsZonePatch => {
  const set = { name: 'www.signed.test', type: 'A' as const, ttlSeconds: 300, rdata: [`192.0.2.${version}`] }
  return { zoneId: whole.zoneId, since, version, apex: whole.rrsets.slice(0, 2), names: [set.name], rrsets: [set] }
}

for (const [what, aheadDays] of [
  ['weeks', 28],
  ['days', 4],
] as const)
  test(`what was signed while the clock was ${what} ahead is signed anew when it is right, and in time from then on`, async (t) => {
    const { clock, asked, start, answered } = await builderOf(t)
    const builder = start()
    clock.now = NOW + aheadDays * DAY_MS
    await builder.put(zoneAt(1, '192.0.2.1'))
    clock.now = NOW
    await builder.renew()
    assert.equal((await answered()).isInForce, true)
    await builder.renew()
    assert.equal(asked.segments, 2, 'once is enough')
    for (let day = 1; day <= 40; day++) {
      clock.now = NOW + day * DAY_MS
      await builder.renew()
      assert.equal((await answered()).isInForce, true, `day ${day}`)
    }
    assert.ok(asked.segments <= 2 + 40 / 7, `${asked.segments} times`)
  })

test('a zone whose new document could not be kept is never signed back to the old one, and is kept when it comes again', async (t) => {
  const { clock, files, start, answered } = await builderOf(t)
  const builder = start()
  await builder.put(zoneAt(1, '192.0.2.1'))
  const put = `${files.documents}.away`
  fs.renameSync(files.documents, put)
  await assert.rejects(builder.put(zoneAt(2, '192.0.2.2')))
  fs.renameSync(put, files.documents)
  clock.now = NOW + 8 * DAY_MS
  await builder.renew()
  assert.equal((await answered()).address, '192.0.2.2')
  // Refused is tried again.
  await builder.put(zoneAt(2, '192.0.2.2'))
  clock.now = NOW + 16 * DAY_MS
  await start().renew()
  assert.deepEqual(await answered(), { address: '192.0.2.2', isInForce: true })
})

test('a large zone is as well, whose patch was compiled alone and could not be kept', async (t) => {
  const { clock, files, asked, start, answered } = await builderOf(t)
  const builder = start()
  const whole = large({ signing })
  const patch = (version: number) => patchOf(whole, 1, version)
  await builder.put(whole)
  await builder.patch(patch(2))
  assert.equal(asked.overlays, 1)
  const put = `${files.documents}.away`
  fs.renameSync(files.documents, put)
  await assert.rejects(builder.patch(patch(3)))
  fs.renameSync(put, files.documents)
  clock.now = NOW + 8 * DAY_MS
  await builder.renew()
  assert.equal((await answered()).address, '192.0.2.3')
  await builder.patch(patch(3))
  clock.now = NOW + 16 * DAY_MS
  await start().renew()
  assert.deepEqual(await answered(), { address: '192.0.2.3', isInForce: true })
})

test('signing anew and a change at the same moment both come into service', async (t) => {
  const { clock, asked, start, answered } = await builderOf(t)
  const builder = start()
  const whole = large({ signing })
  await builder.put(whole)
  await builder.patch(patchOf(whole, 1, 2))
  clock.now = NOW + 22 * DAY_MS
  await Promise.all([builder.renew(), builder.patch(patchOf(whole, 1, 3))])
  assert.deepEqual(await answered(), { address: '192.0.2.3', isInForce: true })
  await builder.renew()
  assert.deepEqual(asked, { segments: 2, overlays: 2 }, 'it was signed once')
})

test('a zone of which only the signatures are left says so, and asks for the whole with its next change', async (t) => {
  const { clock, files, told, start, answered } = await builderOf(t)
  const whole = large({ signing })
  const builder = start()
  await builder.put(whole)
  await builder.patch(patchOf(whole, 1, 2))
  for (const name of fs.readdirSync(files.documents)) {
    const file = path.join(files.documents, name)
    if (name.endsWith('.patch')) fs.rmSync(file)
  }
  const later = start()
  clock.now = NOW + 8 * DAY_MS
  await later.renew()
  assert.deepEqual(told, ['zone.not-renewed'])
  assert.equal((await answered()).address, '192.0.2.2')
  await assert.rejects(later.patch(patchOf(whole, 1, 3)), /is not here to be patched/)
})

test('patches of a large zone that is never sent whole again take no more room than the zone', async (t) => {
  const { files, asked, start } = await builderOf(t)
  const whole = large()
  const builder = start()
  await builder.put(whole)
  const bytes = () => fs.readdirSync(files.documents).map((name) => fs.statSync(path.join(files.documents, name)).size)
  const all = () => bytes().reduce((sum, one) => sum + one, 0)
  const atFirst = all()
  // Each starts where the one before ended, as after it was folded.
  const text = 'x'.repeat(240)
  const patches = Array.from({ length: 40 }, (_, at): DnsZonePatch => {
    const patch = patchOf(whole, at + 1, at + 2)
    const big = {
      name: `big.signed.test`,
      type: 'TXT' as const,
      ttlSeconds: 300,
      rdata: Array.from({ length: 40 }, (__, n) => `"${n} ${at} ${text}"`),
    }
    return { ...patch, names: [...patch.names, big.name], rrsets: [big, ...patch.rrsets] }
  })
  for (const patch of patches) await builder.patch(patch)
  assert.ok(all() < 2.5 * atFirst + 20_000, `${all()} of ${atFirst} bytes`)
  const last = patches.reduce<DnsZone>((zone, patch) => patchedZone(zone, patch) ?? assert.fail(), whole)
  // What is kept is the zone as it is: a builder that starts finds nothing to do.
  const before = { ...asked }
  await start().put(structuredClone(last))
  assert.deepEqual(asked, before)
})

test('a large zone is never read from more than a few dozen patches, however small they are', async (t) => {
  const { files, asked, start, answered } = await builderOf(t)
  const whole = large({ signing })
  const builder = start()
  await builder.put(whole)
  const [json = ''] = fs.readdirSync(files.documents)
  const file = path.join(files.documents, json.replace(/json$/, 'patches'))
  const lines = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [])
  let most = 0
  let last = whole
  for (let version = 2; version <= 70; version++) {
    const patch = patchOf(whole, version - 1, version)
    last = patchedZone(last, patch) ?? assert.fail()
    await builder.patch(patch)
    most = Math.max(most, lines().length)
  }
  assert.ok(most > 20 && most <= 32, `${most} patches`)
  const before = { ...asked }
  await start().put(structuredClone(last))
  assert.deepEqual(asked, before)
  // A former version left many: to compare with them would take longer than to make the zone anew, once.
  fs.appendFileSync(file, `\n${JSON.stringify(patchOf(whole, 69, 70))}\n`.repeat(80))
  await start().put(structuredClone(last))
  assert.deepEqual(asked, { ...before, segments: before.segments + 1 })
  assert.deepEqual(lines(), [])
  assert.equal((await answered()).address, '192.0.2.70')
})

test('a builder that starts makes a zone anew whose kept document cannot be read', async (t) => {
  const { files, asked, start, answered } = await builderOf(t)
  const whole = large({ signing })
  const builder = start()
  await builder.put(whole)
  await builder.patch(patchOf(whole, 1, 2))
  const now = patchedZone(whole, patchOf(whole, 1, 2)) ?? assert.fail()
  const json = fs.readdirSync(files.documents).find((name) => name.endsWith('.json')) ?? assert.fail()
  fs.rmSync(path.join(files.documents, json))
  fs.symlinkSync(os.tmpdir(), path.join(files.documents, json))
  const before = { ...asked }
  await start().put(structuredClone(now))
  assert.deepEqual(asked, { ...before, segments: before.segments + 1 })
  assert.equal((await answered()).address, '192.0.2.2')
})

test('a builder that starts makes nothing anew of a large zone that was patched, unless something else is told', async (t) => {
  const { asked, start, answered } = await builderOf(t)
  const whole = large({ signing })
  const builder = start()
  await builder.put(whole)
  for (const version of [2, 3]) await builder.patch(patchOf(whole, 1, version))
  const now = patchedZone(whole, patchOf(whole, 1, 3)) ?? assert.fail()
  const before = { ...asked }
  const restarted = start()
  await restarted.put(structuredClone(now))
  assert.deepEqual(asked, before)
  await restarted.patch(patchOf(whole, 3, 4))
  assert.deepEqual(asked, { ...before, overlays: before.overlays + 1 })
  assert.equal((await answered()).address, '192.0.2.4')
  // A database that was restored may tell another zone under the same version.
  await restarted.put({ ...structuredClone(now), version: 4 })
  assert.equal((await answered()).address, '192.0.2.3')
})
