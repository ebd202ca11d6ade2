import { type Database, DatabaseAway } from '@fairway/platform'

/**
 * After something failed in a round of many: what the database has no room or memory for keeps nobody else, while it
 * answers others.
 * @throws DatabaseAway when it does not
 */
export async function mustAnswer(database: Database, error: unknown): Promise<void> {
  if (error instanceof DatabaseAway) await database.system((tx) => tx.query('SELECT 1'))
}
