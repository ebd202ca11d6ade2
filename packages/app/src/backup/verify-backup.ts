import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TableName, openStore } from '@fairway/analytics'
import {
  BackupError,
  type Config,
  DatabaseReader,
  type Log,
  openDatabase,
  RowSum,
  serverThatWrites,
} from '@fairway/platform'
import { verifyAuditLog } from '@fairway/server'
import { holderOf, takeHome } from '../supervisor/home.ts'
import { type PutBack, putBack } from './put-back.ts'
import { eventLines } from './write-backup.ts'

export type Proof = { at: string; tables: number; rows: number; zones: number; auditLogs: number; ms: number }

/**
 * Proves a backup: restores it into a home that is thrown away, reads everything out of the engines there again and
 * compares it with what the backup says of itself, zones byte by byte, and checks every audit log.
 * @throws BackupError that says what differs
 */
export async function verifyBackup(given: {
  file: string
  passphrase: string
  config: Config
  log: Log
}): Promise<Proof> {
  const startedAt = performance.now()
  sweepLeft()
  const home = fs.mkdtempSync(path.join(os.tmpdir(), PROOF_HOME))
  // Engines of its own: those of the settings hold the real rows.
  const config: Config = { ...given.config, home, databaseUrl: '', clickhouseUrl: '' }
  let auditLogs = 0
  try {
    using _ = takeHome(home)
    const { head, end, rows } = await putBack({ ...given, config }, async (put) => {
      await compare(config, put)
      auditLogs = await checkAuditLogs(config, given.log)
    })
    return {
      at: head.at,
      tables: Object.keys(end.tables).length,
      rows,
      zones: Object.keys(end.zones).length,
      auditLogs,
      ms: Math.round(performance.now() - startedAt),
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  }
}

const PROOF_HOME = 'fairway-proof-'
const YOUNG_MS = 60_000

/** What a proof that was killed has left holds everything in clear. */
function sweepLeft(): void {
  for (const name of fs.readdirSync(os.tmpdir()).filter((one) => one.startsWith(PROOF_HOME))) {
    const home = path.join(os.tmpdir(), name)
    // Of somebody else, or gone meanwhile: not ours to remove.
    const stat = fs.statSync(home, { throwIfNoEntry: false })
    if (stat?.uid !== process.getuid?.() || Date.now() - (stat?.mtimeMs ?? 0) < YOUNG_MS) continue
    if (holderOf(path.join(home, 'supervisor.lock')) === null) fs.rmSync(home, { recursive: true, force: true })
  }
}

async function compare(config: Config, { head, end }: PutBack): Promise<void> {
  await using reader = await DatabaseReader.open(await serverThatWrites(config, { isDirect: true }))
  await using store = openStore(config)
  const ofDatabase = new Map(reader.tables.map((table) => [table.name, table]))
  for (const [name, said] of Object.entries(end.tables)) {
    const table = ofDatabase.get(name)
    const sum = new RowSum()
    for await (const rows of table ? reader.rows(table) : eventLines(store, name as TableName))
      for (const row of rows) sum.add(row)
    if (sum.rows !== said.rows)
      throw new BackupError(`The backup is not whole: ${name} had ${said.rows} rows and came back with ${sum.rows}.`)
    if (sum.digest() !== said.digest)
      throw new BackupError(`The backup is not whole: rows of ${name} came back other than they were.`)
  }
  const missing = [...ofDatabase.keys()].find((name) => !(name in end.tables))
  if (missing !== undefined) throw new BackupError(`The backup of ${head.at} lacks the table ${missing}.`)
  const zones = await reader.zones()
  const other = Object.keys({ ...zones, ...end.zones }).find((key) => zones[key] !== end.zones[key])
  if (other !== undefined) throw new BackupError(`The zone document ${other} came back other than it was.`)
}

async function checkAuditLogs(config: Config, log: Log): Promise<number> {
  await using database = openDatabase(config, log, { connections: 1 })
  let checked = 0
  for await (const { name, broken } of verifyAuditLog(config, database)) {
    if (broken) throw new BackupError(`The audit log of ${name} is broken at entry ${broken.number} (${broken.kind}).`)
    checked++
  }
  return checked
}
