import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TableName, openStore } from '@fairway/analytics'
import {
  type ArchiveEnd,
  BackupError,
  type Config,
  DatabaseReader,
  endOrphanDatabase,
  type Log,
  openDatabase,
  openStored,
  RowSum,
  serverThatWrites,
} from '@fairway/platform'
import { verifyAuditLog } from '@fairway/server'
import { holderOf, takeHome } from '../supervisor/home.ts'
import { putBack } from './put-back.ts'
import { type Room, roomIn } from './room.ts'
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
  const bytes = (await bytesOf(given.file, given.config)) * UNPACKED
  return await inThrownAwayHome(given.config, bytes, async (config, room) => {
    let auditLogs = 0
    const { head, end, rows } = await putBack({ ...given, config, room }, async ({ head: { at }, end: said }) => {
      await compare(config, { at, ...said })
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
  })
}

/** Rows in their tables, with what finds them, for each byte of a packed file. */
const UNPACKED = 5

async function bytesOf(file: string, config: Config): Promise<number> {
  const { storage, key } = openStored(file, config)
  await using _ = storage
  return (await storage.head(key))?.bytes ?? 0
}

/**
 * @param bytes that it will take there
 * @param prove is given settings with a home and engines of their own: those of the settings hold the real rows
 * @throws NoRoom where it would take the room of what is served
 */
export async function inThrownAwayHome<T>(
  settings: Config,
  bytes: number,
  prove: (config: Config, room: Room) => Promise<T>,
): Promise<T> {
  sweepLeft()
  const room = roomIn(settings, os.tmpdir(), 'The proof', bytes)
  const home = fs.mkdtempSync(path.join(os.tmpdir(), PROOF_HOME))
  try {
    using _ = takeHome(home)
    return await prove({ ...settings, home, databaseUrl: '', clickhouseUrl: '' }, room)
  } finally {
    endOrphanDatabase({ home })
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

export type Said = { at: string } & Pick<ArchiveEnd, 'tables' | 'zones'>

/** Reads the running engines of a home and compares them with what a backup says. @throws BackupError */
export async function compare(config: Config, said: Said): Promise<void> {
  await using reader = await DatabaseReader.open(await serverThatWrites(config, { isDirect: true }))
  await using store = openStore(config)
  const ofDatabase = new Map(reader.tables.map((table) => [table.name, table]))
  for (const [name, figures] of Object.entries(said.tables)) {
    const table = ofDatabase.get(name)
    const sum = new RowSum()
    for await (const rows of table ? reader.rows(table) : eventLines(store, name as TableName))
      for (const row of rows) sum.add(row)
    if (sum.rows !== figures.rows)
      throw new BackupError(`The backup is not whole: ${name} had ${figures.rows} rows and came back with ${sum.rows}.`)
    if (sum.digest() !== figures.digest)
      throw new BackupError(`The backup is not whole: rows of ${name} came back other than they were.`)
  }
  const missing = [...ofDatabase.keys()].find((name) => !(name in said.tables))
  if (missing !== undefined) throw new BackupError(`The backup of ${said.at} lacks the table ${missing}.`)
  const zones = await reader.zones()
  const other = Object.keys({ ...zones, ...said.zones }).find((key) => zones[key] !== said.zones[key])
  if (other !== undefined) throw new BackupError(`The zone document ${other} came back other than it was.`)
}

export async function checkAuditLogs(config: Config, log: Log): Promise<number> {
  await using database = openDatabase(config, log, { connections: 1 })
  let checked = 0
  for await (const { name, broken } of verifyAuditLog(config, database)) {
    if (broken) throw new BackupError(`The audit log of ${name} is broken at entry ${broken.number} (${broken.kind}).`)
    checked++
  }
  return checked
}
