import { FacadeError } from './facade-error.ts'
import { type RequestParameters, setStatement } from './request-parameters.ts'
import type { Lease, SessionPool } from './session-pool.ts'
import { type Statement, readStatement } from './statement.ts'

/** A result, whole or in chunks. `finish` gives the session back and must be called in any case. */
export type StatementResult = {
  format: string
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  streamed: boolean
  summary: Record<string, string> | null
  finish(): void
}

/**
 * Runs one request's statement with its settings and placeholders. `sql` is the text; `data` the bytes to insert when
 * the text came in the URL.
 * The first chunk is already there when this resolves, so an error of the statement still finds the answer unsent.
 */
export async function runStatement(
  pool: SessionPool,
  sql: string,
  data: Buffer,
  request: RequestParameters,
  readOnly: boolean,
): Promise<StatementResult> {
  const statement = readStatement(sql, request.defaultFormat)
  if (readOnly && statement.kind !== 'read')
    throw new FacadeError(164, 'READONLY', 'Cannot execute query in readonly mode: a GET request only reads')
  const lease = await pool.borrow(statement.kind === 'read' ? 'read' : 'write')
  try {
    await prepareSession(lease, request, statement)
    if (statement.kind === 'insert-data') return await insertData(lease, statement, data)
    if (statement.kind === 'read' && statement.streams && !request.isWhole)
      return await streamRows(lease, sql, request, statement.format)
    const text = statement.kind === 'other' && data.length > 0 ? `${sql}\n${data.toString('utf8')}` : sql
    return await runWhole(lease, text, request, statement)
  } catch (error) {
    lease.release()
    throw error
  }
}

async function prepareSession(lease: Lease, request: RequestParameters, statement: Statement): Promise<void> {
  if (request.settings.length > 0 || request.database !== null || (statement.kind === 'other' && statement.spoils))
    lease.spoil()
  if (request.database !== null) await lease.session.queryAsync(`USE \`${request.database.replaceAll('`', '')}\``)
  if (request.settings.length > 0) await lease.session.queryAsync(setStatement(request.settings))
}

async function insertData(
  lease: Lease,
  { table, columns, format, inlineData }: Extract<Statement, { kind: 'insert-data' }>,
  data: Buffer,
): Promise<StatementResult> {
  const values = inlineData === '' ? data : Buffer.concat([Buffer.from(inlineData, 'utf8'), data])
  const written = await lease.session.insert({ table, format, values, ...(columns ? { columns } : {}) })
  return whole(lease, format, [], {
    read_rows: '0',
    read_bytes: '0',
    written_rows: String(written.rowsWritten),
    written_bytes: String(written.bytesWritten),
    elapsed_ns: nanoseconds(written.elapsed),
  })
}

async function runWhole(
  lease: Lease,
  sql: string,
  request: RequestParameters,
  statement: Statement,
): Promise<StatementResult> {
  const result = await lease.session.queryBindAsync(sql, request.bound, { format: request.defaultFormat })
  const summary = {
    read_rows: String(result.rowsRead),
    read_bytes: String(result.bytesRead),
    written_rows: '0',
    written_bytes: '0',
    elapsed_ns: nanoseconds(result.elapsed),
  }
  return whole(
    lease,
    (statement.kind === 'read' ? statement.format : null) ?? request.defaultFormat,
    [result.bytes()],
    summary,
  )
}

async function streamRows(
  lease: Lease,
  sql: string,
  request: RequestParameters,
  format: string | null,
): Promise<StatementResult> {
  const name = format ?? request.defaultFormat
  const stream = lease.session.queryStreamBind(sql, request.bound, { format: name })
  const chunks = stream[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return whole(lease, name, [], null)
  let ended = false
  const finish = () => {
    // A reader who left early leaves a fetch behind in the engine: nobody else may borrow that session.
    if (!ended) lease.spoil()
    stream.cancel()
    lease.release()
  }
  async function* rest() {
    yield first.value.raw()
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value.raw()
    ended = true
  }
  return { format: name, chunks: rest(), streamed: true, summary: null, finish }
}

function whole(
  lease: Lease,
  format: string,
  chunks: Uint8Array[],
  summary: Record<string, string> | null,
): StatementResult {
  lease.release()
  return { format, chunks, streamed: false, summary, finish: () => {} }
}

const nanoseconds = (seconds: number) => String(Math.round(seconds * 1e9))
