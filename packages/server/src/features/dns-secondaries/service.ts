import crypto from 'node:crypto'
import { dnsSecondaries, LIMITS, type DnsSecondary } from '@fairway/contract'
import { isIpv4 } from '@fairway/domain'
import { type Config, mint, seal, type Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { houseMachines } from '../../publish/house-addresses.ts'
import { catalogKey, catalogName } from '../../publish/catalog-zone.ts'
import { TRANSFER_KEYS } from '../../publish/dns-transfers.ts'
import { TRANSFERS_CHANNEL } from '../../publish/zone-transfer.ts'
import { addressOf } from '../dns-primary/address.ts'

type Row = { id: string; name: string; notify: string | null; key_name: string; created_at: Date }

/** One of our name servers, as others reach it. */
async function primaryOf(tx: Tx, config: Config): Promise<string> {
  const machines = await beyondTenant(tx, () => houseMachines(tx, config, 'dns'))
  const listed = machines.filter(({ isListed }) => isListed).flatMap(({ addresses }) => addresses)
  return listed.find(isIpv4) ?? listed[0] ?? config.dnsListen.host
}

const COLUMNS = 'id, name, notify, key_name, created_at'

export const dnsSecondariesSlice = slice(dnsSecondaries, {
  async list({ tx, actor, services: { config } }) {
    const rows = await tx.query<Row>(`SELECT ${COLUMNS} FROM dns_secondary ORDER BY created_at, id`)
    const withheld = await tx.query<{ site: string; domainName: string; names: string[] }>(
      `SELECT s.id AS site, s.domain_name AS "domainName", z.withheld AS names FROM zone_transfer z JOIN site s ON s.id = z.site_id WHERE z.withheld <> '{}' ORDER BY s.domain_name`,
    )
    return {
      data: rows.map(present),
      catalog: catalogName(actor.organizationId, config),
      primary: { ...config.dnsListen, host: await primaryOf(tx, config) },
      withheld: rows.length > 0 ? withheld : [],
    }
  },

  async create({ tx, actor, change, services: { config, gate } }, { name, notify }) {
    const at = notify === null ? null : addressOf(notify)
    if (at && !gate.reaches(at.host, at.port))
      throw new Failure(400, { fields: [{ path: 'notify', message: 'validation.bogon' }] })
    if ((await tx.query('SELECT FROM dns_secondary WHERE lower(name) = lower($1)', [name])).length > 0)
      throw new Failure(7491)
    const [held] = await tx.query<{ count: number }>('SELECT count(*)::int AS count FROM dns_secondary')
    if ((held?.count ?? 0) >= LIMITS.secondaries) throw new Failure(900117)
    const secret = mint('tsig').text
    const keyName = `fairway-${crypto.randomBytes(5).toString('hex')}`
    const [row] = await tx.query<Row>(
      `INSERT INTO dns_secondary (organization_id, name, notify, key_name, secret_sealed) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
      [actor.organizationId, name, notify, keyName, seal(config, TRANSFER_KEYS, secret)],
    )
    if (!row) throw new Failure(500)
    change.record({ entity: 'dns-secondary', id: row.id, label: name, before: null, after: { name, notify } })
    await publishTransfers(tx, actor.organizationId)
    return { data: present(row), secret }
  },

  async remove({ tx, actor, change }, { id }) {
    const [row] = isUuid(id)
      ? await tx.query<Row>(`DELETE FROM dns_secondary WHERE id = $1 RETURNING ${COLUMNS}`, [id])
      : []
    if (!row) throw new Failure(404)
    change.record({
      entity: 'dns-secondary',
      id,
      label: row.name,
      before: { name: row.name, notify: row.notify },
      after: null,
    })
    await publishTransfers(tx, actor.organizationId)
    return {}
  },
})

/** The keys first: a node that has the catalog but not the keys would refuse it for a moment. */
async function publishTransfers(tx: Tx, organizationId: string): Promise<void> {
  await enqueue(tx, organizationId, ['dns-transfers'], organizationId)
  await enqueue(tx, organizationId, ['dns-zone'], catalogKey(organizationId))
  await tx.query(`SELECT pg_notify($1, '')`, [TRANSFERS_CHANNEL])
}

function present({ id, name, notify, key_name, created_at }: Row): DnsSecondary {
  return { id, name, notify, keyName: key_name, createdAt: created_at.toISOString() }
}
