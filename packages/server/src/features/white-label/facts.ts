import type { WhiteLabel, WhiteLabelRecord } from '@fairway/contract'
import {
  edgeAddressSets,
  type HouseMachine,
  isIpv4,
  isIpv6,
  leaksOf,
  nameserverAddressSets,
  mergedSpf,
  wantedRecords,
  type WantedRecord,
} from '@fairway/domain'
import type { Config, FoundRole, Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { everyAddress, houseMachines } from '../../publish/house-addresses.ts'
import { allNameservers } from '../../publish/nameservers.ts'
import { checksOf, earlierOrganizations, type CheckRow, type WhiteLabelRow } from './store.ts'

/** DKIM selectors tell a partner's keys apart, and nothing about whose letters they sign. */
export const selectorOf = (number: number): string => `k${number}`

/** SPF's word for a host (RFC 7208 5.3, 5.6): addresses have one of their own. */
function mechanismOf(host: string): string {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  return isIpv4(plain) ? `ip4:${plain}` : isIpv6(plain) ? `ip6:${plain}` : `a:${plain}`
}

/**
 * Every machine that names lead to while all of them are there: what others set does not follow who is away. `ours` are
 * addresses that are right where they stand, also of machines that others have taken the names of.
 */
export type House = Record<FoundRole, HouseMachine[]> & { ours: Record<FoundRole, string[]> }

export async function houseOf(tx: Tx, config: Config): Promise<House> {
  const all = async (role: FoundRole) =>
    (await houseMachines(tx, config, role)).map((machine) => ({ ...machine, isListed: true }))
  return beyondTenant(tx, async () => ({
    dns: await all('dns'),
    edge: await all('edge'),
    ours: { dns: await everyAddress(tx, config, 'dns'), edge: await everyAddress(tx, config, 'edge') },
  }))
}

/** The records that a partner has to set. */
export function recordsOf(config: Config, house: House, row: WhiteLabelRow): WantedRecord[] {
  const { hostname } = new URL(config.publicUrl)
  return wantedRecords({
    hostName: row.host_name,
    consoleHost: hostname.replace(/^\[(.*)\]$/, '$1'),
    serviceDomain: row.service_domain,
    cnameHost: row.cname_host,
    senderAddress: row.sender_address,
    namesIn(zone) {
      const { global, china } = allNameservers(config, zone)
      return [...global, ...china]
    },
    houseZone: config.serviceDomain,
    nameserverSets(name) {
      const { global, china } = allNameservers(config, name.slice(name.indexOf('.') + 1))
      return nameserverAddressSets(house.dns, [...global, ...china]).get(name) ?? []
    },
    edgeSets: edgeAddressSets(house.edge),
    spf: config.mailSpf || mechanismOf(config.smtpUrl ? new URL(config.smtpUrl).hostname : hostname),
    dkim:
      row.dkim_number === null || row.dkim_public === null
        ? null
        : { selector: selectorOf(row.dkim_number), publicKey: row.dkim_public },
  })
}

/** What a look was for: one that was for something else says nothing. */
export const wishOf = ({ type, name, values }: WantedRecord): string => JSON.stringify([type, name, values])

function withState(record: WantedRecord, checks: readonly CheckRow[]): WhiteLabelRecord {
  const found = checks.find((check) => check.record === record.id && check.wanted === wishOf(record))
  const seen = found?.seen ?? []
  return {
    ...record,
    values: record.id === 'spf' ? [mergedSpf(record.values[0] ?? '', seen)] : record.values,
    state: found?.state ?? 'unknown',
    seen,
    checkedAt: found?.checked_at.toISOString() ?? null,
  }
}

/** Who sends what the installation sends in its own name. */
export const houseSender = ({ mailSender, serviceDomain }: Pick<Config, 'mailSender' | 'serviceDomain'>): string =>
  mailSender || `no-reply@${serviceDomain}`

export const settingsOf = (row: WhiteLabelRow) => ({
  serviceDomain: row.service_domain,
  cnameHost: row.cname_host,
  senderAddress: row.sender_address,
  senderName: row.sender_name,
})

/** Everything about a partner's names. */
export async function presentWhiteLabel(tx: Tx, config: Config, row: WhiteLabelRow): Promise<WhiteLabel> {
  const checks = await checksOf(tx, row.id)
  const records = recordsOf(config, await houseOf(tx, config), row).map((record) => withState(record, checks))
  const isDefault = row.host_name === null
  const earlier = await beyondTenant(tx, () => earlierOrganizations(tx, row.id, config.serviceDomain))
  return {
    partner: row.id,
    companyName: row.company_name,
    isDefault,
    ...settingsOf(row),
    since: {
      nameservers: row.own_names_since?.toISOString() ?? null,
      cname: row.own_cname_since?.toISOString() ?? null,
      sender: row.own_sender_since?.toISOString() ?? null,
    },
    records,
    leaks: leaksOf({
      isDefault,
      settings: settingsOf(row),
      hostName: row.host_name,
      since: { nameservers: row.own_names_since, cname: row.own_cname_since, sender: row.own_sender_since },
      linkState: records.find(({ use }) => use === 'links')?.state ?? null,
      house: {
        nameservers: allNameservers(config, config.serviceDomain).global[0] ?? config.serviceDomain,
        cname: `….edge.${config.serviceDomain}`,
        sender: houseSender(config),
        links: new URL(config.publicUrl).host,
      },
      earlier,
    }),
  }
}
