import type { Challenge, ProofType } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import type { Taken } from './house-orders.ts'
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

export type TakenConsoleCertificate = Taken<ConsoleCertificateRow>

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

export type ProvenZone = { id: string; organization_id: string }

/** The zone of this installation that holds a name and answers the world. */
export async function zoneAround(tx: Tx, host: string): Promise<ProvenZone | null> {
  const [zone] = await tx.query<ProvenZone>(
    `SELECT id, organization_id FROM site WHERE dns_state = 'verified' AND zone_status <> 0 AND ($1 = domain_name OR right($1, length(domain_name) + 1) = '.' || domain_name) ORDER BY length(domain_name) DESC LIMIT 1`,
    [host],
  )
  return zone ?? null
}
