import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Config, Database } from '@fairway/platform'
import { type ChainReport, type Head, verifyChain } from './chain.ts'

/**
 * Heads of the chains at the last good check: beside the database, so that who changes the one has not changed the
 * other.
 */
const FILE = 'audit-heads.json'
const Heads = z.record(z.string(), z.object({ number: z.int(), hash: z.string() }))

export type OrganizationReport = ChainReport & { name: string }

/**
 * Checks the audit log of every organisation, or of one, and remembers where the good ones stand. Reports come as they
 * are found.
 */
export async function* verifyAuditLog(
  config: Config,
  database: Database,
  only: string | null = null,
): AsyncGenerator<OrganizationReport> {
  const heads: Record<string, Head> = readHeads(config)
  const organizations = await database.system((tx) =>
    tx.query<{ id: string; name: string }>(
      'SELECT id, name FROM organization WHERE $1::text IS NULL OR id::text = $1 OR lower(name) = lower($1) ORDER BY name, id',
      [only],
    ),
  )
  for (const { id, name } of organizations) {
    const report = await database.system((tx) => verifyChain(tx, id, heads[id] ?? null))
    if (!report.broken && report.head) heads[id] = report.head
    yield { ...report, name }
  }
  writeHeads(config, heads)
}

function readHeads(config: Config): Record<string, Head> {
  const file = path.join(config.home, FILE)
  return fs.existsSync(file) ? Heads.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : {}
}

function writeHeads(config: Config, heads: Record<string, Head>): void {
  const file = path.join(config.home, FILE)
  fs.writeFileSync(`${file}.new`, JSON.stringify(heads, null, 2), { mode: 0o600 })
  fs.renameSync(`${file}.new`, file)
}
