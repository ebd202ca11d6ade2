import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { migrate } from './migrate.ts'

const CHECKOUT = path.join(import.meta.dirname, '../../../..')
const CACHE = path.join(CHECKOUT, 'node_modules/.cache/fairway-test-database')
/** What of a home is the database: its files and the password that opens it. */
const PARTS = ['database', 'secrets']

/**
 * Gives a home the database of an installation that was just migrated, copied from one that all tests of this state of
 * the migrations share.
 * It does not wait for the disk: what a test has written, nobody needs after a crash of the machine. A commit is still
 * handed to the system before it is acknowledged: tests kill processes. The migrations themselves are tested from empty
 * elsewhere.
 */
export async function copyDatabase(home: string): Promise<void> {
  const template = path.join(CACHE, stateOfMigrations())
  if (!fs.existsSync(template)) await makeTemplate(template)
  for (const part of PARTS) execFileSync('cp', ['-a', '--reflink=auto', path.join(template, part), home])
}

function stateOfMigrations(): string {
  const folder = path.join(CHECKOUT, 'packages/platform/src/migrations')
  const hash = crypto.createHash('sha256')
  for (const file of [path.join(CHECKOUT, 'package-lock.json'), import.meta.filename])
    hash.update(fs.readFileSync(file))
  for (const name of fs.readdirSync(folder).sort()) hash.update(name).update(fs.readFileSync(path.join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

async function makeTemplate(template: string): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-template-'))
  const draft = `${template}.${process.pid}`
  try {
    const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_LOG_LEVEL: 'error' })
    const log = makeLog('test', config)
    const database = await startEmbeddedDatabase({ config, log })
    try {
      await migrate(config, log)
    } finally {
      await database[Symbol.asyncDispose]()
    }
    fs.appendFileSync(path.join(home, 'database/postgresql.conf'), '\nfsync = off\nfull_page_writes = off\n')
    fs.mkdirSync(draft, { recursive: true })
    for (const part of PARTS) execFileSync('cp', ['-a', path.join(home, part), draft])
    // Several tests may make it at once; whichever is there first is as good as any.
    if (!fs.existsSync(template)) fs.renameSync(draft, template)
  } catch (error) {
    if (!fs.existsSync(template)) throw error
  } finally {
    for (const folder of [home, draft])
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
