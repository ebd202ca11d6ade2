import type { HouseMachine } from '@fairway/domain'
import { type Config, type FoundRole, ownAddresses, type Tx } from '@fairway/platform'

type Row = { name: string; addresses: string[] | null; listed: string[] | null }

/**
 * The machines whose addresses the zones of the house name, and those that they named within a day. Where none has said
 * where it is, or one of the version before is there, which says nothing, the worker's own machine is one.
 */
export async function houseMachines(tx: Tx, config: Config, role: FoundRole): Promise<HouseMachine[]> {
  const rows = await tx.query<Row>(
    `SELECT name, addresses, listed_addresses AS listed FROM node WHERE role = $1
       AND (listed_addresses IS NOT NULL OR (addresses IS NOT NULL AND listed_at IS NOT NULL AND last_seen_at > now() - interval '1 day')) ORDER BY name`,
    [role],
  )
  const told = rows.flatMap(({ name, addresses, listed }): HouseMachine[] =>
    addresses === null ? [] : [{ name, addresses: listed ?? addresses, isListed: listed !== null }],
  )
  const isTold = told.some(({ isListed }) => isListed) && rows.every(({ addresses }) => addresses !== null)
  if (isTold || told.some(({ name, isListed }) => name === config.nodeName && isListed)) return told
  return [
    ...told.filter(({ name }) => name !== config.nodeName),
    { name: config.nodeName, addresses: ownAddresses(config, role), isListed: true },
  ]
}
