import type { DnsTransfers } from '@fairway/contract'
import { sealForNodes, unseal, type Config, type Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'

/** What secrets of transfers are sealed for, at rest and for the nodes. */
export const TRANSFER_KEYS = 'transfer-keys'

type Row = { key_name: string; secret_sealed: string; notify: string | null }

/** Who may take an organisation's zones; key: its id. */
export async function buildDnsTransfers(tx: Tx, organizationId: string, config: Config): Promise<Built> {
  const rows = await tx.query<Row>(
    'SELECT key_name, secret_sealed, notify FROM dns_secondary WHERE organization_id = $1 ORDER BY key_name',
    [organizationId],
  )
  if (rows.length === 0) return null
  const peers = rows.map(({ key_name, secret_sealed, notify }) => ({
    keyName: key_name,
    notify,
    sealedSecret: sealForNodes(config, TRANSFER_KEYS, unseal(config, TRANSFER_KEYS, secret_sealed)),
  }))
  const content = (version: number): DnsTransfers => ({ organizationId, version, peers })
  const version = await contentVersion(tx, 'dns-transfers', organizationId, content)
  return { version, organizationId, body: content(version) }
}
