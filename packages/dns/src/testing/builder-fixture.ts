import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { DnsZone, DnsZonePatch, ScoresSnapshot } from '@fairway/contract'
import type { Log } from '@fairway/platform'
import { Builder } from '../builder/builder.ts'
import { OwnChecks } from '../builder/own-checks.ts'
import { Secondaries } from '../builder/secondaries.ts'
import type { ServerLink } from '../builder/server-link.ts'
import { SigningBudget } from '../dnssec/online-signer.ts'
import { ServedZones } from '../serving/served-zones.ts'
import { Signers } from '../serving/signers.ts'
import { dnsFiles } from '../store/files.ts'
import { SegmentFiles } from '../store/segment-files.ts'
import { openKey } from './key-fixture.ts'
import { ask, serve, silentLog } from './server-fixture.ts'

export const NOW = Date.UTC(2026, 5, 1)

/** A builder whose server answers, by one clock that is put right and wrong. `told` are its errors. */
export async function builderOf(t: TestContext) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'builder-'))
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
  const told: unknown[] = []
  const log: Log = { ...silentLog, error: ({ event }: Record<string, unknown>) => void told.push(event) }
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
      log,
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
      score: (scores: ScoresSnapshot) =>
        builder.apply({
          revision: scores.serial,
          kind: 'scores',
          key: scores.organizationId,
          version: scores.serial,
          body: scores,
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
  return { clock, files, asked, told, served, start, answered }
}
