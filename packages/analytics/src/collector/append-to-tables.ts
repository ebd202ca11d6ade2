import type { Spool } from './spool.ts'
import { TakenBatches } from './taken-batches.ts'

type Room = Pick<Spool, 'append' | 'expectRoom'>

/**
 * Takes the rows of one report, which are for several tables: nothing while one of them has no room, and where one fails
 * nevertheless, what the others took is known when the report comes again. @throws NotTaken
 */
export function tableAppender<Table extends string>(
  spools: Record<Table, Room>,
): (lines: Partial<Record<Table, string>>, batch: string | undefined) => Promise<void> {
  const taken = new TakenBatches(25_000)
  return async (lines, batch) => {
    const wanted = (Object.entries(lines) as [Table, string][]).filter(([, text]) => text !== '')
    for (const [table] of wanted) spools[table].expectRoom()
    await Promise.all(
      wanted.map(([table, text]) => {
        const take = () => spools[table].append(text, batch)
        return batch === undefined ? take() : taken.once(`${batch} ${table}`, () => take().then(() => null))
      }),
    )
  }
}
