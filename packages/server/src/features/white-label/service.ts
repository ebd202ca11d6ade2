import { whiteLabel, type WhiteLabelSettings } from '@fairway/contract'
import { isAtOrUnder } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { makeKey } from './dkim.ts'
import { presentWhiteLabel, selectorOf, settingsOf } from './facts.ts'
import {
  holdPartner,
  lookNow,
  namesOfOthers,
  partnerOf,
  partnersOf,
  saveSettings,
  type WhiteLabelRow,
} from './store.ts'

export const whiteLabelSlice = slice(whiteLabel, {
  async own({ tx, services }) {
    const data = []
    for (const row of await partnersOf(tx)) data.push(await presentWhiteLabel(tx, services.config, row))
    return { data }
  },

  async get({ tx, services }, { partner }) {
    return presentWhiteLabel(tx, services.config, await existing(tx, partner))
  },

  async update({ tx, services, change }, { partner, ...wanted }) {
    await existing(tx, partner)
    await holdPartner(tx, partner)
    const before = await existing(tx, partner)
    await refuseForeign(tx, services.config, before, wanted)
    await saveSettings(tx, before, wanted)
    if (wanted.senderAddress !== null && before.dkim_number === null) await makeKey(tx, services.config, partner)
    await lookNow(tx, partner)
    const row = await existing(tx, partner)
    change.record({
      entity: 'partner',
      id: partner,
      label: row.company_name,
      before: settingsOf(before),
      after: settingsOf(row),
    })
    return presentWhiteLabel(tx, services.config, row)
  },

  async check({ tx, services }, { partner }) {
    const row = await existing(tx, partner)
    await lookNow(tx, partner)
    return presentWhiteLabel(tx, services.config, row)
  },

  async newKey({ tx, services, change }, { partner }) {
    const before = await existing(tx, partner)
    if (before.sender_address === null) throw new Failure(7409, { internal: 'no sender, so nothing to sign' })
    await holdPartner(tx, partner)
    await makeKey(tx, services.config, partner)
    await tx.query('UPDATE partner SET own_sender_since = NULL WHERE id = $1', [partner])
    await lookNow(tx, partner)
    const row = await existing(tx, partner)
    const named = ({ dkim_number }: WhiteLabelRow) => ({ dkimSelector: selectorOf(dkim_number ?? 0) })
    change.record({
      entity: 'partner',
      id: partner,
      label: row.company_name,
      before: named(before),
      after: named(row),
    })
    return presentWhiteLabel(tx, services.config, row)
  },
})

async function existing(tx: Tx, id: string): Promise<WhiteLabelRow> {
  const row = await partnerOf(tx, id)
  if (!row) throw new Failure(404)
  return row
}

/**
 * A zone of a partner's is nobody else's: not the installation's, not another partner's, not at, above or below what a
 * site has proven. Who has it is not said.
 */
async function refuseForeign(
  tx: Tx,
  config: Config,
  { id, host_name, service_domain, cname_host }: WhiteLabelRow,
  wanted: WhiteLabelSettings,
): Promise<void> {
  const wish = { serviceDomain: wanted.serviceDomain, cnameHost: wanted.cnameHost }
  if (host_name === null && (wish.serviceDomain !== null || wish.cnameHost !== null))
    throw new Failure(400, {
      fields: [{ path: wish.serviceDomain === null ? 'cnameHost' : 'serviceDomain', message: 'validation.houseNames' }],
    })
  await beyondTenant(tx, async () => {
    // Claims and zones are given out one after the other.
    await tx.query('SELECT pg_advisory_xact_lock(4713)')
    const { partners, sites } = await namesOfOthers(tx, id)
    const fields = Object.entries(wish).flatMap(([path, name]) => {
      if (name === null || name === service_domain || name === cname_host) return []
      const clashes = (other: string) => isAtOrUnder(name, other) || isAtOrUnder(other, name)
      // Above it stands the console, below it must not: its name would be answered by our nodes.
      const holdsConsole = host_name !== null && isAtOrUnder(host_name, name)
      if (holdsConsole) return [{ path, message: 'validation.holdsConsole' }]
      return [config.serviceDomain, ...partners, ...sites].some(clashes) ? [{ path, message: 'code:7491' }] : []
    })
    const sender = wanted.senderAddress?.split('@').at(-1)?.toLowerCase() ?? null
    // Its records would have to be answered by us, in a zone that holds nothing but our own names.
    if (sender !== null && Object.values(wish).some((zone) => zone !== null && isAtOrUnder(sender, zone)))
      fields.push({ path: 'senderAddress', message: 'validation.senderInZone' })
    // A service domain below the CDN names' zone would be two zones of which one hides the other.
    if (
      wish.serviceDomain !== null &&
      wish.cnameHost !== null &&
      wish.serviceDomain !== wish.cnameHost &&
      isAtOrUnder(wish.serviceDomain, wish.cnameHost)
    )
      fields.push({ path: 'cnameHost', message: 'validation.cnameHostAbove' })
    const [first] = fields
    if (first) throw new Failure(first.message === 'code:7491' ? 7491 : 400, { fields })
  })
}
