import crypto from 'node:crypto'
import { loadBeaconScript, pulseFigures } from '@fairway/analytics'
import { LIMITS, pulse, type PulseScript } from '@fairway/contract'
import { pulseCsp, pulseSnippets } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { askStore } from '../../http/ask-store.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { beaconSettings } from './beacon-settings.ts'
import { followCollector } from './follow-collector.ts'
import {
  cdnNames,
  oldKeys,
  ownPulse,
  removeOldKey,
  replaceKey,
  siteNames,
  updatePulse,
  type PulseRow,
} from './store.ts'

const { facts } = loadBeaconScript()

export const pulseSlice = slice(pulse, {
  async get({ tx, actor, services }) {
    return present(tx, services.config, await existing(tx, actor.organizationId))
  },

  async update({ tx, actor, services, change }, input) {
    const before = await existing(tx, actor.organizationId)
    await updatePulse(tx, actor.organizationId, { ...input, hosts: input.hosts && [...new Set(input.hosts)] })
    const after = await existing(tx, actor.organizationId)
    change.record({ entity: 'pulse', id: actor.organizationId, label: 'Beacon settings', before, after })
    return present(tx, services.config, after)
  },

  async rotate({ tx, actor, services, change }, { keepOldHours }) {
    const before = await existing(tx, actor.organizationId)
    if (keepOldHours > 0 && (await oldKeys(tx, actor.organizationId)).length >= LIMITS.beacon.keys)
      throw new Failure(27047)
    await replaceKey(tx, actor.organizationId, newKey(), keepOldHours)
    const after = await existing(tx, actor.organizationId)
    change.record({ entity: 'pulse', id: actor.organizationId, label: 'Beacon key', before, after })
    return present(tx, services.config, after)
  },

  async endKey({ tx, actor, services, change }, { key }) {
    if (!(await removeOldKey(tx, actor.organizationId, key))) throw new Failure(404)
    change.record({ entity: 'pulse', id: actor.organizationId, label: 'Beacon key', before: { key }, after: null })
    return present(tx, services.config, await existing(tx, actor.organizationId))
  },

  async figures({ tx, actor, services, now }) {
    const names = await cdnNames(tx, actor.organizationId)
    const found = await askStore(
      pulseFigures(services.events, { organizationId: actor.organizationId, now: now.getTime() }),
    )
    const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString())
    return {
      ...found,
      firstAt: instant(found.firstAt),
      newestAt: instant(found.newestAt),
      splitSince: instant(found.splitSince),
      cdns: found.cdns.map((cdn) => ({ ...cdn, ...(names.get(cdn.cdnId) ?? { name: cdn.cdnId, series: 6 }) })),
    }
  },

  async live({ config }, actor, _input, stream) {
    await followCollector(config, actor.organizationId, stream, (seen) => stream.send(seen))
  },
})

const newKey = (): string => crypto.randomBytes(12).toString('base64url')

async function existing(tx: Tx, organizationId: string): Promise<PulseRow> {
  const row = await ownPulse(tx, organizationId)
  if (!row) throw new Failure(404)
  return row
}

const scriptOf = ({ collectorUrl }: Config): PulseScript => ({
  url: `${collectorUrl}/${facts.file}`,
  package: `${collectorUrl}/${facts.package}`,
  integrity: facts.integrity,
  bytes: facts.bytes,
  gzipBytes: facts.gzipBytes,
})

async function present(tx: Tx, config: Config, row: PulseRow) {
  const settings = await beaconSettings(tx, config, row)
  const script = scriptOf(config)
  const dynamic = pulseSnippets({ script, key: row.key, settings: null })
  return {
    key: row.key,
    keys: [
      { key: row.key, createdAt: row.key_since.toISOString(), until: null },
      ...(await oldKeys(tx, row.organization_id)).map(({ key, created_at, ends_at }) => ({
        key,
        createdAt: created_at.toISOString(),
        until: ends_at.toISOString(),
      })),
    ],
    tag: dynamic.script,
    settings,
    throughput: row.throughput,
    hosts: row.hosts,
    ownHosts: (await siteNames(tx, row.organization_id)).flatMap((name) => [name, `*.${name}`]),
    script,
    dynamic,
    static: pulseSnippets({ script, key: row.key, settings }),
    csp: pulseCsp(script.url, settings),
  }
}
