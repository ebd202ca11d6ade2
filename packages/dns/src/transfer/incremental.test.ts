import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { DnsZone, DnsZonePatch, Rrset } from '@fairway/contract'
import { PATCHED_FROM_SETS, patchedZone } from '@fairway/domain/lean'
import { signRequest } from '@fairway/platform'
import { loadLibc } from '@fairway/platform/lean'
import dnsPacket, { type Answer } from 'dns-packet'
import { builderOf, NOW } from '../testing/builder-fixture.ts'
import { signingBy, zoneKey } from '../testing/key-fixture.ts'
import type { Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { TransferTurns } from './transfer-turns.ts'

const DAY_MS = 86_400_000
const ORIGIN = 'signed.test'
const KEY = { name: 'mine', secret: crypto.randomBytes(32) }
const signing = signingBy(zoneKey())
const inOrder = (sets: readonly Rrset[]) =>
  sets.toSorted((a, b) => (a.name < b.name || (a.name === b.name && a.type < b.type) ? -1 : 1))

function zoneAt(version: number, lines: readonly string[], extra: Partial<DnsZone> = {}): DnsZone {
  const { rrsets, ...zone } = zoneOf(ORIGIN, lines.join('\n'), { version, ...extra })
  const [soa, ns, ...rest] = rrsets
  if (!soa || !ns) assert.fail()
  const numbered = { ...soa, rdata: [`ns1.${ORIGIN}. admin.${ORIGIN}. ${version} 3600 600 604800 60`] }
  return { ...zone, rrsets: [numbered, ns, ...inOrder(rest)] }
}

/** A server that keeps the zone by transfer, as RFC 1995 has it: it takes away nothing that it has not. */
class Secondary {
  serial: number | null = null
  records = new Set<string>()
  readonly #served: Served
  readonly #address: string
  readonly #now: () => number

  constructor(served: Served, address: string, now: () => number) {
    this.#served = served
    this.#address = address
    this.#now = now
  }

  /** What came: how many records, and whether as changes. */
  refresh(from: Served = this.#served): { records: number; isWhole: boolean } {
    const answers = [...this.#answersOf(from)]
    const [first, second] = answers
    if (first?.type !== 'SOA') assert.fail('no zone')
    const isWhole = answers.length > 1 && !(second?.type === 'SOA' && serialOf(second) === this.serial)
    if (isWhole) this.records = new Set(answers.slice(0, -1).map(textOf))
    let isAdding = false
    if (!isWhole)
      for (const record of answers.slice(1, -1)) {
        if (record.type === 'SOA' && serialOf(record) === serialOf(first)) isAdding = true
        if (isAdding) assert.ok(!this.records.has(textOf(record)), `${textOf(record)} comes twice`)
        else assert.ok(this.records.has(textOf(record)), `${textOf(record)} was never there`)
        if (isAdding) this.records.add(textOf(record))
        else this.records.delete(textOf(record))
      }
    this.serial = serialOf(first)
    return { records: answers.length, isWhole }
  }

  *#answersOf({ handler }: Served): Generator<Answer> {
    const question = dnsPacket.encode({
      type: 'query',
      id: 7,
      questions: [{ type: this.serial === null ? 'AXFR' : 'IXFR', name: ORIGIN }],
      authorities:
        this.serial === null
          ? []
          : [{ type: 'SOA', name: ORIGIN, data: { mname: '', rname: '', serial: this.serial } }],
    })
    for (const message of handler.transfer(signRequest(question, KEY, this.#now()), this.#address) ?? [])
      if (message) yield* dnsPacket.decode(message).answers ?? []
  }
}

const textOf = (record: Answer): string => JSON.stringify(record)
const serialOf = (soa: Answer): number => (soa.data as { serial: number }).serial

async function world(t: TestContext) {
  const built = await builderOf(t)
  const now = () => built.clock.now
  built.served.setTransfers('org-1', {
    organizationId: 'org-1',
    version: 1,
    peers: [{ keyName: KEY.name, sealedSecret: KEY.secret.toString('base64'), notify: null }],
  })
  const secondary = (address: string) => new Secondary(built.served, address, now)
  /** A secondary that has nothing yet is given the zone as it is. */
  const asItIs = () => {
    const fresh = secondary('192.0.2.99')
    fresh.refresh()
    return fresh.records
  }
  return { ...built, secondary, asItIs }
}

test('a secondary has the new signatures with the next serial, whenever the zone was signed anew', async (t) => {
  const { clock, start, secondary, asItIs } = await world(t)
  const builder = start()
  const at = (version: number) =>
    zoneAt(version, [`www 300 A 192.0.2.${version}`, 'stays 300 A 192.0.2.9'], { signing })
  const [one, two] = [secondary('192.0.2.1'), secondary('192.0.2.2')]
  await builder.put(at(1))
  one.refresh()
  await builder.put(at(2))
  assert.equal(one.refresh().isWhole, false)
  clock.now = NOW + 8 * DAY_MS
  await builder.renew()
  // Comes while the serial is the same, and has what the other one lacks.
  two.refresh()
  await builder.put(at(3))
  for (const each of [one, two]) {
    each.refresh()
    assert.deepEqual(each.records, asItIs())
  }
  await builder.put(at(4))
  for (const each of [one, two]) {
    assert.equal(each.refresh().isWhole, false, 'and changes alone from then on')
    assert.deepEqual(each.records, asItIs())
  }
})

test('a secondary that has the zone from another node, which signs by itself, is given it whole', async (t) => {
  const [first, second] = [await world(t), await world(t)]
  const at = (version: number) => zoneAt(version, [`www 300 A 192.0.2.${version}`], { signing })
  const follower = first.secondary('192.0.2.1')
  const [one, other] = [first.start(), second.start()]
  await one.put(at(1))
  second.clock.now += 1_000
  await other.put(at(1))
  second.secondary('192.0.2.2').refresh()
  follower.refresh()
  await other.put(at(2))
  follower.refresh(second.served)
  assert.deepEqual(follower.records, second.asItIs())
})

for (const isSigned of [false, true])
  test(`of a ${isSigned ? 'signed ' : ''}zone of megabytes a secondary is given what has changed, patch by patch`, async (t) => {
    // Files that are read take too much memory for more than one version.
    if (loadLibc() === null) return t.skip()
    const { start, asked, secondary, asItIs } = await world(t)
    const builder = start()
    const text = `"${'x'.repeat(250)}"`
    const lines = Array.from({ length: PATCHED_FROM_SETS }, (_, n) => `n${n} 300 TXT ${Array(40).fill(text).join(' ')}`)
    const extra = isSigned ? { signing } : {}
    const whole = zoneAt(1, ['www 300 A 192.0.2.1', 'gone 300 A 192.0.2.1', ...lines], extra)
    await builder.put(whole)
    const follower = secondary('192.0.2.1')
    follower.refresh()
    let base = whole
    for (let version = 2; version <= 9; version++) {
      // A new start now and then, as after a patch was folded into the whole.
      const since = version < 6 ? 1 : 5
      const changed = [`www 300 A 192.0.2.${version}`, `new${version}.deep 300 A 192.0.2.7`]
      const names = ['www', 'gone', ...Array.from({ length: version }, (_, n) => `new${n + 1}.deep`)]
      const { rrsets } = zoneAt(version, version % 3 === 0 ? [...changed, 'gone 300 A 192.0.2.1'] : changed)
      const isOwn = ({ name }: Rrset) => names.some((one) => name === `${one}.${ORIGIN}`)
      const patch: DnsZonePatch = {
        zoneId: whole.zoneId,
        since,
        version,
        apex: rrsets.slice(0, 2),
        names: names.map((name) => `${name}.${ORIGIN}`),
        rrsets: inOrder(rrsets.filter(isOwn)),
      }
      base = patchedZone(base, patch) ?? assert.fail()
      await builder.patch(patch)
      const { isWhole, records } = follower.refresh()
      assert.deepEqual(follower.records, asItIs())
      // The whole below it is another one then.
      if (version !== 6) assert.ok(!isWhole && records < 60, `${records} records at version ${version}`)
    }
    assert.deepEqual(asked, { segments: 1, overlays: 8 })
  })

test('transfers go on one step a turn of the event loop, however many there are', async () => {
  const turns = new TransferTurns()
  let steps = 0
  const all = Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let step = 0; step < 5; step++) {
        await turns.next()
        steps++
      }
    }),
  )
  let most = 0
  for (let turn = 0; turn < 300; turn++) {
    const before = steps
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, steps - before)
  }
  await all
  assert.equal(steps, 100)
  assert.ok(most <= 2, `${most} steps between two turns`)
})
