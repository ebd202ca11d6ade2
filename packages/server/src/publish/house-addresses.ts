import type { HouseMachine } from '@fairway/domain'
import { type Config, type FoundRole, isLoopback, ownAddresses, type Tx } from '@fairway/platform'

type Row = { name: string; addresses: string[] | null; listed: string[] | null }

/** Loopback leads the world nowhere: it is for trials, in which no machine has another address. */
export function withoutLoopback(all: readonly string[]): (addresses: readonly string[]) => string[] {
  const isTrial = all.every(isLoopback)
  return (addresses) => addresses.filter((address) => isTrial || !isLoopback(address))
}

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
  const all = rows.flatMap(({ name, addresses, listed }): HouseMachine[] =>
    addresses === null ? [] : [{ name, addresses: listed ?? addresses, isListed: listed !== null }],
  )
  const forWorld = withoutLoopback(all.flatMap(({ addresses }) => addresses))
  const told = all.map((machine) => ({ ...machine, addresses: forWorld(machine.addresses) }))
  const named = told.filter(({ isListed, addresses }) => isListed && addresses.length > 0)
  const isTold = named.length > 0 && rows.every(({ addresses }) => addresses !== null)
  if (isTold || named.some(({ name }) => name === config.nodeName)) return told
  const own = ownAddresses(config, role)
  return [
    ...told.filter(({ name }) => name !== config.nodeName),
    // Nodes that know of no address are on machines of their own: where the worker listens for itself is nothing then.
    { name: config.nodeName, addresses: told.length > 0 ? own.filter((one) => !isLoopback(one)) : own, isListed: true },
  ]
}

/** Every address that is a machine's of the house or was its last one, until an operator forgets the machine. */
export async function everyAddress(tx: Tx, config: Config, role: FoundRole): Promise<string[]> {
  const rows = await tx.query<Pick<Row, 'addresses' | 'listed'>>(
    `SELECT addresses, listed_addresses AS listed FROM node WHERE role = $1 AND listed_at IS NOT NULL`,
    [role],
  )
  const machines = await houseMachines(tx, config, role)
  const all = [
    ...rows.flatMap(({ addresses, listed }) => [...(addresses ?? []), ...(listed ?? [])]),
    ...machines.flatMap(({ addresses }) => addresses),
  ]
  return [...new Set(withoutLoopback(all)(all))]
}
