import { auth } from '@fairway/contract'
import { type Config, makeLog, mint, openDatabase } from '@fairway/platform'
import { closeSandbox, openSandbox } from '@fairway/server'
import { apiClient } from '../api-client.ts'
import { seedSite } from './seed-world.ts'
import { SANDBOX, worldPlan } from './world-plan.ts'
import { writePast } from './write-past.ts'

/**
 * The organisation that anybody may look at: made like the demo's own, through the API, by an owner who is turned into
 * a viewer when it is complete. A start that was cut off in the middle goes on where it stopped.
 */
export async function seedSandbox(config: Config): Promise<void> {
  await using database = openDatabase(config, makeLog('seed', { logLevel: 'warn' }), { connections: 1 })
  // Both cases and a digit: what a password needs.
  const password = `Aa1-${mint('bearer').text}`
  const opened = await database.system((tx) => openSandbox(tx, { ...SANDBOX, password }))
  if (opened === null) return
  const { jwtToken } = await apiClient(config.apiUrl)(auth.routes.login, { email: opened.email, password })
  const world = await seedSite(apiClient(config.apiUrl, jwtToken), config, worldPlan(SANDBOX.site))
  await writePast(config, { organizationId: opened.organizationId, ...world })
  await database.system((tx) => closeSandbox(tx, opened.organizationId))
}
