import { configExample } from '@fairway/platform'
import { DATABASE_NEEDS } from './help-database.ts'
import { UsageError } from './options.ts'

/** `help settings`: every setting with its meaning and default; `help database`: what an outside PostgreSQL needs. */
export async function help([page = 'settings']: string[] = []): Promise<number> {
  if (page !== 'settings' && page !== 'database')
    throw new UsageError(`there is no page "${page}". Pages: settings, database.`)
  process.stdout.write(
    page === 'database'
      ? DATABASE_NEEDS
      : `# Settings: environment variables, or lines of <home>/fairway.conf\n\n${configExample()}`,
  )
  return 0
}
