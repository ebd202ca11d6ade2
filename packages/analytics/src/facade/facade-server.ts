import crypto from 'node:crypto'
import http from 'node:http'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { type Log, sameSecret } from '@fairway/platform'
import { FacadeError, errorAnswer } from './facade-error.ts'
import { readParameters } from './request-parameters.ts'
import { type StatementResult, runStatement } from './run-statement.ts'
import type { SessionPool } from './session-pool.ts'

export type FacadeOptions = { pool: SessionPool; password: string; version: string; log: Log }

const BODY_LIMIT_BYTES = 256 << 20
/** Only what is worth it; small answers are quicker as they are. */
const GZIP_FROM_BYTES = 4096

/** ClickHouse's HTTP interface over the pool: what `@clickhouse/client` uses of it, without a change there. */
export function facadeServer(options: FacadeOptions): http.Server {
  const server = http.createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) {
        // A whole answer is the only sign of success: a broken one must look broken.
        const left = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
        options.log[left ? 'debug' : 'warn']({ event: left ? 'store.reader-left' : 'store.answer-broken', err: error })
        response.destroy()
        return
      }
      sendError(options, request, response, error)
    })
  })
  server.requestTimeout = 120_000
  server.headersTimeout = 10_000
  server.keepAliveTimeout = 60_000
  return server
}

async function answer(
  options: FacadeOptions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store')
  if (request.method === 'GET' && (url.pathname === '/ping' || (url.pathname === '/' && url.search === '')))
    return void response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end('Ok.\n')
  if (!isKnown(options, request, url))
    throw new FacadeError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect')
  if (url.pathname !== '/' || (request.method !== 'GET' && request.method !== 'POST'))
    throw new FacadeError(48, 'NOT_IMPLEMENTED', `${request.method} ${url.pathname.slice(0, 100)} is not offered`)
  const parameters = readParameters(url.searchParams)
  const body = request.method === 'POST' ? await readBody(request) : Buffer.alloc(0)
  const sql = parameters.query || body.toString('utf8')
  if (sql.trim() === '') throw new FacadeError(62, 'SYNTAX_ERROR', 'Empty query')
  const result = await runStatement(
    options.pool,
    sql,
    parameters.query ? body : Buffer.alloc(0),
    parameters,
    request.method === 'GET',
  )
  try {
    await send(options, request, response, result, parameters)
  } finally {
    result.finish()
  }
}

async function send(
  { version }: FacadeOptions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  result: StatementResult,
  { queryId, compressResponse }: { queryId: string | null; compressResponse: boolean },
): Promise<void> {
  const bytes = result.streamed ? null : Buffer.concat([...(result.chunks as Iterable<Uint8Array>)])
  const gzip =
    compressResponse &&
    /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) &&
    (bytes === null || bytes.length >= GZIP_FROM_BYTES)
  response.writeHead(200, {
    'content-type': contentType(result.format),
    'x-clickhouse-query-id': queryId ?? crypto.randomUUID(),
    'x-clickhouse-format': result.format,
    'x-clickhouse-timezone': 'UTC',
    'x-clickhouse-server-display-name': `fairway-store ${version}`,
    ...(result.summary ? { 'x-clickhouse-summary': JSON.stringify(result.summary) } : {}),
    ...(gzip ? { 'content-encoding': 'gzip' } : bytes ? { 'content-length': bytes.length } : {}),
  })
  if (bytes && !gzip) return void response.end(bytes)
  const source = Readable.from(bytes ? [bytes] : result.chunks, { objectMode: false })
  await (gzip ? pipeline(source, zlib.createGzip({ level: 1 }), response) : pipeline(source, response))
}

function sendError(
  { version, log }: FacadeOptions,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  error: unknown,
): void {
  const { status, code, text } = errorAnswer(error, version)
  if (status === 500) log.warn({ event: 'store.query-failed', code, problem: text.slice(0, 500) })
  // The rest of an unread body is not waited for.
  if (!request.complete) response.setHeader('connection', 'close')
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=UTF-8', 'x-clickhouse-exception-code': String(code) })
    .end(`${text}\n`)
}

/** Basic authentication, ClickHouse's own headers, or parameters; any user name, one password. */
function isKnown({ password }: FacadeOptions, request: http.IncomingMessage, url: URL): boolean {
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')?.[1]
  const key = request.headers['x-clickhouse-key']
  const given =
    basic !== undefined
      ? Buffer.from(basic, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '')
      : typeof key === 'string'
        ? key
        : url.searchParams.get('password')
  return given !== null && sameSecret(given, password)
}

async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'gzip' && encoding !== 'identity')
    throw new FacadeError(48, 'NOT_IMPLEMENTED', `Content-Encoding ${encoding.slice(0, 20)} is not offered, use gzip`)
  const chunks: Buffer[] = []
  let size = 0
  const source: AsyncIterable<Buffer> = encoding === 'gzip' ? unzipped(request) : request
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > BODY_LIMIT_BYTES) throw new FacadeError(307, 'TOO_MANY_BYTES', 'The request is too large')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof FacadeError || encoding !== 'gzip') throw error
    throw new FacadeError(354, 'ZLIB_INFLATE_FAILED', 'The request is not gzip')
  }
  return Buffer.concat(chunks)
}

function unzipped(request: http.IncomingMessage): zlib.Gunzip {
  const gunzip = zlib.createGunzip()
  request.once('error', (error) => gunzip.destroy(error))
  return request.pipe(gunzip)
}

function contentType(format: string): string {
  if (/^JSON.*EachRow/.test(format)) return 'application/x-ndjson; charset=UTF-8'
  if (format.startsWith('JSON')) return 'application/json; charset=UTF-8'
  if (format.startsWith('CSV')) return 'text/csv; charset=UTF-8'
  return 'text/tab-separated-values; charset=UTF-8'
}
