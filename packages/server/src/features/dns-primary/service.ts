import { dnsPrimary, type DnsPrimary } from '@fairway/contract'
import { seal } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { TRANSFER_KEYS } from '../../publish/dns-transfers.ts'
import { zoneStatusOf } from '../add-site/found-store.ts'
import { dnssecOf } from '../dnssec/store.ts'
import { addressOf } from './address.ts'
import { lookNow, primaryOf, putPrimary, removePrimary, type PrimaryRow } from './store.ts'
import { expiryOf } from './timers.ts'

export const dnsPrimarySlice = slice(dnsPrimary, {
  async get({ tx, site }) {
    const row = await primaryOf(tx, site.id)
    return { data: row ? present(row) : null }
  },

  async set(context, { servers, key }) {
    const {
      tx,
      actor,
      site,
      change,
      services: { config, gate },
    } = context
    // A draft is not served, and what is found for it is what it begins with.
    if ((await zoneStatusOf(tx, site.id)) === 0) throw new Failure(409, { internal: 'the site is a draft' })
    const wrong = servers.map(addressOf).findIndex(({ host, port }) => !gate.reaches(host, port))
    if (wrong >= 0) throw new Failure(400, { fields: [{ path: `servers.${wrong}`, message: 'validation.bogon' }] })
    const before = await primaryOf(tx, site.id, true)
    if (!before) await refuseOwnAnswers(context)
    const kept =
      key && before?.key_name === key.name && before.key_algorithm === key.algorithm ? before.secret_sealed : null
    const sealed = key?.secret === undefined ? kept : seal(config, TRANSFER_KEYS, key.secret)
    if (key && sealed === null)
      throw new Failure(400, { fields: [{ path: 'key.secret', message: 'validation.required' }] })
    await putPrimary(tx, {
      site_id: site.id,
      organization_id: actor.organizationId,
      servers,
      key_name: key?.name ?? null,
      key_algorithm: key?.algorithm ?? null,
      secret_sealed: sealed,
    })
    const after = present(await existing(context))
    change.title = before
      ? `Change the primary of ${site.domain_name}`
      : `Keep ${site.domain_name} as a secondary of ${servers[0]}`
    change.record({
      entity: 'dns-primary',
      id: site.id,
      label: site.domain_name,
      before: before ? shown(present(before)) : null,
      after: shown(after),
    })
    return { data: after, meta: { version: await change.version() } }
  },

  async refresh(context) {
    await existing(context)
    await lookNow(context.tx, [context.site.id], { noticed: false })
    return {}
  },

  async remove(context) {
    const { tx, site, change } = context
    const row = await existing(context)
    await removePrimary(tx, row)
    change.title = `Keep ${site.domain_name} here again`
    change.record({
      entity: 'dns-primary',
      id: site.id,
      label: site.domain_name,
      before: shown(present(row)),
      after: null,
    })
    return { data: {}, meta: { version: await change.version() } }
  },
})

/** What another primary says cannot be steered or signed here. */
async function refuseOwnAnswers({ tx, site }: Context): Promise<void> {
  const domains = await tx.query('SELECT FROM domain WHERE site_id = $1 AND removed_at IS NULL LIMIT 1', [site.id])
  if (domains.length > 0 || (await dnssecOf(tx, site.id))) throw new Failure(900114)
}

async function existing({ tx, site }: Context): Promise<PrimaryRow> {
  const row = await primaryOf(tx, site.id, true)
  if (!row) throw new Failure(404)
  return row
}

function present(row: PrimaryRow): DnsPrimary {
  const time = (date: Date | null) => date?.toISOString() ?? null
  return {
    servers: row.servers,
    key:
      row.key_name !== null && row.key_algorithm !== null ? { name: row.key_name, algorithm: row.key_algorithm } : null,
    state: row.state,
    problem: row.problem,
    serial: row.serial,
    refreshedAt: time(row.refreshed_at),
    transferredAt: time(row.transferred_at),
    noticedAt: time(row.noticed_at),
    dueAt: row.due_at.toISOString(),
    expiresAt: time(expiryOf(row)),
  }
}

const shown = ({ servers, key }: DnsPrimary) => ({ servers, key })
