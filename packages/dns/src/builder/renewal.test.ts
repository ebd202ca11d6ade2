import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import { PATCHED_FROM_SETS } from '@fairway/domain/lean'
import { SigningBudget } from '../dnssec/online-signer.ts'
import { ServedZones } from '../serving/served-zones.ts'
import { Signers } from '../serving/signers.ts'
import { dnsFiles } from '../store/files.ts'
import { SegmentFiles } from '../store/segment-files.ts'
import { openKey, signingBy, zoneKey } from '../testing/key-fixture.ts'
import { ask, serve, silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { Builder } from './builder.ts'
import { OwnChecks } from './own-checks.ts'
import { Secondaries } from './secondaries.ts'
import type { ServerLink } from './server-link.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 1)
const signing = signingBy(zoneKey())
const zoneAt = (version: number, address: string): DnsZone =>
  zoneOf('signed.test', `www 300 A ${address}`, { signing, version })

/** A builder whose server answers, by one clock that is put right and wrong. */
async function builderOf(t: TestContext) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'renewal-'))
  const clock = { now: NOW }
  const served = await serve([], { clock: () => clock.now })
  t.after(async () => {
    await served[Symbol.asyncDispose]()
    fs.rmSync(home, { recursive: true })
  })
  const { zones, steering, transfers } = served
  const signers = new Signers(openKey, new SigningBudget(1e9), () => clock.now)
  const serving = new ServedZones({ zones, steering, transfers, signers, log: silentLog })
  const files = dnsFiles({ home })
  const asked = { segments: 0, overlays: 0 }
  const link: ServerLink = {
    tell() {},
    ask(request) {
      if (request.kind === 'segment') asked.segments++
      if (request.kind === 'overlay') asked.overlays++
      return serving.serve(request)
    },
  }
  const start = () => {
    const builder = new Builder({
      files,
      segments: new SegmentFiles(files.zones),
      link,
      prober: { targets() {} },
      checks: new OwnChecks(),
      secondaries: new Secondaries({ notifier: { notify() {} }, openKey, log: silentLog }),
      openKey,
      clock: () => clock.now,
      log: silentLog,
    })
    builder.restore()
    return {
      put: (zone: DnsZone) =>
        builder.apply({
          revision: zone.version,
          kind: 'dns-zone',
          key: zone.zoneId,
          version: zone.version,
          body: zone,
        }),
      patch: (patch: DnsZonePatch) =>
        builder.apply({
          revision: patch.version,
          kind: 'dns-zone',
          key: patch.zoneId,
          version: patch.version,
          body: null,
          patch,
        }),
      renew: () => builder.renewSignatures(),
    }
  }
  const answered = async () => {
    const { answers } = await ask(served.at, 'www.signed.test', { dnssecOk: true })
    const signature = answers?.find(({ type }) => type === 'RRSIG')?.data as unknown as {
      inception: number
      expiration: number
    }
    return {
      address: String(answers?.find(({ type }) => type === 'A')?.data),
      isInForce: signature.inception <= clock.now / 1000 && clock.now / 1000 < signature.expiration,
    }
  }
  return { clock, files, asked, start, answered }
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
  const lines = Array.from({ length: PATCHED_FROM_SETS }, (_, at) => `n${at} 300 A 192.0.2.9`)
  const whole = zoneOf('signed.test', ['www 300 A 192.0.2.1', ...lines].join('\n'), { signing })
  const apex = whole.rrsets.filter(({ name, type }) => name === 'signed.test' && (type === 'SOA' || type === 'NS'))
  const patch = (version: number): DnsZonePatch => {
    const set = { name: 'www.signed.test', type: 'A' as const, ttlSeconds: 300, rdata: [`192.0.2.${version}`] }
    return { zoneId: whole.zoneId, since: 1, version, apex, names: [set.name], rrsets: [set] }
  }
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
