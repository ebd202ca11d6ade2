import { loadConfig, makeLog, openDatabase } from '@fairway/platform'
import { type OrganizationReport, verifyAuditLog } from '@fairway/server'
import { UsageError, parseWords } from './options.ts'

/**
 * `audit verify [--organization <id or name>]`: recomputes the chain of every audit log and names the first entry that
 * is not as it was written.
 */
export async function audit(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, { organization: { type: 'string' } })
  if (positionals.length !== 1 || positionals[0] !== 'verify')
    throw new UsageError('say: audit verify [--organization <id or name>]')
  const config = loadConfig()
  await using database = openDatabase(config, makeLog('audit', { logLevel: 'warn' }), { connections: 1 })
  let [checked, broken] = [0, 0]
  for await (const report of verifyAuditLog(config, database, values.organization ?? null)) {
    checked++
    if (report.broken) broken++
    process.stdout.write(`${lineOf(report)}\n`)
  }
  if (checked === 0)
    throw new UsageError(
      values.organization === undefined
        ? 'there is no organisation yet'
        : `there is no organisation "${values.organization}"`,
    )
  return broken === 0 ? 0 : 1
}

function lineOf({ name, entries, head, broken }: OrganizationReport): string {
  if (!broken)
    return `${name}: ${entries} ${entries === 1 ? 'entry' : 'entries'}, unbroken${head ? `, head ${head.hash}` : ''}`
  const { kind, number, at, action, user } = broken
  const entry = `entry ${number}${at === null ? '' : ` (${at}, ${action} by ${user})`}`
  switch (kind) {
    case 'changed':
      return `${name}: BROKEN at ${entry}: its content is not what was written`
    case 'missing':
      return `${name}: BROKEN at ${entry}: ${entries === 0 ? 'entries before it are gone' : `what came between it and entry ${entries} is gone`}`
    case 'cut':
      return `${name}: BROKEN after entry ${entries}: the last check has seen ${entry}, which is gone`
    case 'rewritten':
      return `${name}: BROKEN at or before ${entry}: it is not what the last check has seen`
  }
}
