import { type EventStore, type eventTables, orderedRows } from '@fairway/analytics'
import { RowSum, type TableFigures, splitLines } from '@fairway/platform'

const SMALLEST = 128 << 10
const LARGEST = 1 << 20
/** One in so many rows ends a part: the same rows make the same parts, wherever rows were put between them. */
const ONE_IN = 512n

/** Rows of a table of the event store as parts that stay the same as long as their rows do, counted on the way. */
export async function* eventParts(
  store: EventStore,
  table: ReturnType<typeof eventTables>[number],
  figures: Record<string, TableFigures>,
): AsyncGenerator<Buffer> {
  const sum = new RowSum()
  let [rows, bytes]: [Buffer[], number] = [[], 0]
  const take = () => {
    const part = Buffer.concat(rows)
    ;[rows, bytes] = [[], 0]
    return part
  }
  for await (const lines of splitLines(orderedRows(store, table)))
    for (const line of lines) {
      const mark = sum.add(line)
      rows.push(line, NEWLINE)
      bytes += line.length + 1
      if (bytes >= LARGEST || (bytes >= SMALLEST && mark % ONE_IN === 0n)) yield take()
    }
  if (bytes > 0) yield take()
  figures[table] = { rows: sum.rows, digest: sum.digest() }
}

const NEWLINE = Buffer.from('\n')
