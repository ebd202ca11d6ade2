import type { Challenge, ProofType } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import type { OrderRow } from './order-step.ts'

export type ConsoleCertificateRow = Omit<OrderRow, 'names'> & {
  host: string
  sealed_key: string | null
  not_after: Date | null
  order_key: string | null
  challenge: ProofType | null
  challenges: Challenge[]
  challenges_at: Date | null
  site_id: string | null
  wanted_version: number | null
  problem: string | null
  hindrance: 'waiting' | 'failed' | null
  next_attempt_at: Date
}

export type TakenConsoleCertificate = ConsoleCertificateRow & { leased_until: Date }

/** The notification that says that it, or what proves it, is another one. */
export const CONSOLE_CERTIFICATE = 'console-certificate'

export async function consoleCertificate(tx: Tx, host: string): Promise<ConsoleCertificateRow | undefined> {
  return (await tx.query<ConsoleCertificateRow>('SELECT * FROM console_certificate WHERE host = $1', [host]))[0]
}

/** The row of this name is there, and names this directory: a certificate of another one is replaced at once. */
export async function wantConsoleCertificate(tx: Tx, host: string, directory: string): Promise<void> {
  await tx.query(
    `INSERT INTO console_certificate AS c (host, directory) VALUES ($1, $2)
     ON CONFLICT (host) DO UPDATE SET directory = $2, step = NULL, order_key = NULL, attempts = 0, next_attempt_at = now() WHERE c.directory <> $2`,
    [host, directory],
  )
  // Names that the console had once.
  await tx.query('DELETE FROM console_certificate WHERE host <> $1 AND not_after < now()', [host])
}

/** What is due, for one process at a time; a renewal begins here, with the key that is given. */
export async function takeConsoleCertificate(
  tx: Tx,
  host: string,
  { leaseSeconds, newKey }: { leaseSeconds: number; newKey: () => string },
): Promise<TakenConsoleCertificate | undefined> {
  const [taken] = await tx.query<TakenConsoleCertificate>(
    `UPDATE console_certificate SET leased_until = date_trunc('milliseconds', now()) + make_interval(secs => $2), order_began_at = coalesce(order_began_at, now())
     WHERE host = $1 AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until < now()) RETURNING *`,
    [host, leaseSeconds],
  )
  if (!taken || taken.order_key !== null) return taken
  const [begun] = await tx.query<TakenConsoleCertificate>(
    `UPDATE console_certificate SET step = 'order', order_key = $2, order_url = NULL, order_began_at = now() WHERE host = $1 RETURNING *`,
    [host, newKey()],
  )
  return begun
}

/** Writes what a step has led to, if the lease is still this holder's. Answers whether it was. */
export async function writeConsoleCertificate(
  tx: Tx,
  { host, leased_until }: TakenConsoleCertificate,
  change: Partial<ConsoleCertificateRow> & { order_began_at?: Date | null },
): Promise<boolean> {
  const entries = Object.entries(change)
  const set = entries.map(([column], at) => `${column} = $${at + 3}`)
  const values = entries.map(([, value]) => (Array.isArray(value) ? JSON.stringify(value) : value))
  const rows = await tx.query(
    `UPDATE console_certificate SET ${['leased_until = NULL', ...set].join(', ')} WHERE host = $1 AND leased_until = $2 RETURNING host`,
    [host, leased_until, ...values],
  )
  return rows.length > 0
}

export type ProvenZone = { id: string; organization_id: string }

/** The zone of this installation that holds a name and answers the world. */
export async function zoneAround(tx: Tx, host: string): Promise<ProvenZone | null> {
  const [zone] = await tx.query<ProvenZone>(
    `SELECT id, organization_id FROM site WHERE dns_state = 'verified' AND zone_status <> 0 AND ($1 = domain_name OR right($1, length(domain_name) + 1) = '.' || domain_name) ORDER BY length(domain_name) DESC LIMIT 1`,
    [host],
  )
  return zone ?? null
}
