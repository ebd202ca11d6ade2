import path from 'node:path'
import { VERSION } from '@fairway/contract'
import {
  type Config,
  Problem,
  type SchemaState,
  backupFolderOf,
  controlRequest,
  isNarrowing,
  loadConfig,
  makeLog,
  migrate,
  runDir,
  schemaState,
} from '@fairway/platform'
import { backup } from './backup.ts'
import { type Finding, findingsOf } from './doctor.ts'
import { UsageError, parseWords } from './options.ts'
import { reload } from './reload.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

const WAY_BACK = 'To go back, put the code of before here and say: ./fairway upgrade --back'

type Running = { version?: string; roles: Record<string, unknown> }

/**
 * `upgrade`: puts the code of this checkout in the place of what runs: looks whether all is well, takes a backup, widens
 * the database while the code before goes on, and exchanges the roles one by one. `--unwell` goes on where what runs is
 * not well: this code may be what mends it. `--back` does so with older code, as long as the database is one that it
 * can use.
 */
export async function upgrade(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, {
    back: { type: 'boolean' },
    'without-backup': { type: 'boolean' },
    unwell: { type: 'boolean' },
  })
  if (positionals.length > 0) throw new UsageError('say: upgrade [--without-backup] [--unwell], or: upgrade --back')
  const config = loadConfig()
  const before = await running(config)
  const illBefore = await illOf(config)
  // The way back is wanted most when what runs is not well.
  if (values.back !== true && values.unwell !== true) refuseUnwell(illBefore)
  for (const ill of illBefore) say(`not well: ${saidOf(ill)}`)
  const from = before.version ?? 'an older version'
  // Nodes have no database of their own.
  if (Object.hasOwn(before.roles, 'api')) {
    const state = await schemaState(config)
    refuse(state, values.back === true)
    if (values.back !== true) {
      if (values['without-backup'] !== true) await takeBackup(config)
      await migrate(config, makeLog('upgrade', { logLevel: 'error' }))
      for (const name of state.missing) say(`migrated ${name}`)
    }
  }
  await reload([]).catch((error: unknown) => {
    throw error instanceof Problem ? new Problem(`${error.message} ${WAY_BACK}`) : error
  })
  const { version } = await running(config)
  // What was ill before is no reason to go back.
  const { worse, same } = compared(values.unwell === true ? illBefore : [], await illOf(config))
  for (const ill of same) say(`still not well: ${saidOf(ill)}`)
  if (worse.length > 0)
    throw new Problem(`${version ?? VERSION} runs and is not well: ${worse.map(saidOf).join('; ')}. ${WAY_BACK}`)
  say(`${values.back === true ? 'went back' : 'upgraded'} from ${from} to ${version ?? VERSION}`)
  return 0
}

async function running(config: Config): Promise<Running> {
  const socket = `unix:${path.join(runDir(config), 'supervisor.sock')}`
  return (await controlRequest(socket, 'GET', '/roles').catch(() => {
    throw new Problem(`Nothing runs in ${config.home}. Start it with: ./fairway up`)
  })) as Running
}

/** What would stand in the way; a certificate or an old backup does not. */
async function illOf(config: Config): Promise<Finding[]> {
  const findings = await findingsOf(config)
  return findings.filter(({ level, what }) => level === 'failing' && what !== 'certificate')
}

const saidOf = ({ what, said }: Finding): string => `${what}: ${said}`

/** What is ill now: what was so before, whatever is said of it, and what was not. */
export function compared(before: readonly Finding[], after: readonly Finding[]): { worse: Finding[]; same: Finding[] } {
  const known = new Set(before.map(({ what }) => what))
  return {
    worse: after.filter(({ what }) => !known.has(what)),
    same: after.filter(({ what }) => known.has(what)),
  }
}

function refuseUnwell(ill: readonly Finding[]): void {
  if (ill.length > 0)
    throw new Problem(
      `What runs is not well, so nothing was changed. ${ill.map(saidOf).join('; ')}. See: ./fairway doctor. Where this version is to mend it, say: ./fairway upgrade --unwell`,
    )
}

function refuse({ missing, unknown }: SchemaState, isBack: boolean): void {
  const narrowing = unknown.find(isNarrowing)
  if (narrowing)
    throw new Problem(
      `A newer version has taken away from the database what this one uses (${narrowing}). The way back is a backup of before, into an empty home.`,
    )
  if (isBack && missing.length > 0)
    throw new Problem(`The database does not have all that this version uses (${missing[0]}). Say: ./fairway upgrade`)
  if (!isBack && unknown.length > 0)
    throw new Problem(
      `The database is of a newer version (${unknown.at(-1)}). To go back to ${VERSION}, say: ./fairway upgrade --back`,
    )
}

async function takeBackup(config: Config): Promise<void> {
  if (config.backupPassphrase === '' && config.backupPassphraseFile === '')
    throw new Problem(
      'A backup comes first, and FAIRWAY_BACKUP_PASSPHRASE_FILE names no passphrase to seal it by. Set it, or say: ./fairway upgrade --without-backup',
    )
  await backup(['--to', backupFolderOf(config)])
}
