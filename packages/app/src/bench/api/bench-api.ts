import { makeLog, openDatabase } from '@fairway/platform'
import { startInstallation } from '../../installation/start-installation.ts'
import { registerOperator } from '../operator.ts'
import { AUDIT_ENTRIES, ORGANIZATIONS, SITES, fill, pathValues, places } from './fill-store.ts'
import { measureReads, reportReads } from './read-figures.ts'

const LIMIT_MS = 50

/**
 * p50 and p95 of every declared read, from the request to the whole answer, asked one after the other by one client on
 * the same machine; and what each costs in CPU time.
 */
export async function benchApi(say: (line: string) => void): Promise<void> {
  await using installation = await startInstallation({
    command: 'up',
    words: ['--roles', 'database,store,api,worker,dns'],
    settings: {
      FAIRWAY_DESK_URL: 'http://127.0.0.1:1/?jwt={token}',
      FAIRWAY_DESK_SECRET: 'a-secret-that-two-sides-share-0001',
    },
  })
  const { organizationId } = await registerOperator(installation)
  await using database = openDatabase(installation.config, makeLog('bench', { logLevel: 'error' }), { connections: 2 })
  const userId =
    (
      await database.system((tx) =>
        tx.query<{ id: string }>('SELECT id FROM app_user WHERE organization_id = $1', [organizationId]),
      )
    )[0]?.id ?? ''
  const startedAt = performance.now()
  await database.system((tx) => fill(tx, organizationId, userId, say))
  say(
    `${ORGANIZATIONS} organisations, ${SITES} sites and ${AUDIT_ENTRIES} audit entries made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  )
  const values = await database.system((tx) => pathValues(tx, organizationId, userId))
  const own = await database.system((tx) => places(tx, organizationId))
  reportReads(await measureReads(installation, values, own), LIMIT_MS, say)
}
