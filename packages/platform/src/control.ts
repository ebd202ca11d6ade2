import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { ControlError } from './control-error.ts'
import type { Log } from './log.ts'

/** Whether a role can do its job, and if not why; `facts` are for people. */
export type Reasons = { ready: boolean; reasons: string[]; facts?: Record<string, unknown> }

type Handler = (body: unknown) => unknown | Promise<unknown>
export type ControlOptions = {
  config: { home: string }
  role: string
  ready: () => Reasons | Promise<Reasons>
  metrics?: () => string | Promise<string>
  routes?: Record<string, Handler>
  log: Log
}

/**
 * Folder for this installation's unix sockets: in the home when the path fits a socket address (107 bytes), else a
 * private folder under the system's temporary one.
 */
export function runDir(config: { home: string }): string {
  const inHome = path.join(config.home, 'run')
  const id = crypto.createHash('sha256').update(path.resolve(config.home)).digest('hex').slice(0, 10)
  const folder = Buffer.byteLength(inHome) <= 70 ? inHome : path.join(os.tmpdir(), `fairway-${id}`)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Serves `/healthz`, `/readyz`, `/metrics` and a role's own routes as JSON on `<runDir>/<role>.sock`. */
export async function startControl(options: ControlOptions): Promise<AsyncDisposable & { url: string }> {
  const socket = path.join(runDir(options.config), `${options.role}.sock`)
  fs.rmSync(socket, { force: true })
  const server = http.createServer((request, response) => {
    answer(options, request).then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      (error: unknown) => {
        const status = error instanceof ControlError ? error.status : 500
        if (status === 500) options.log.error({ event: 'control.failed', url: request.url, err: error })
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: error instanceof Error ? error.message : 'failed' }))
      },
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve))
  fs.chmodSync(socket, 0o600)
  return {
    url: `unix:${socket}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      fs.rmSync(socket, { force: true })
    },
  }
}

async function answer(
  options: ControlOptions,
  request: http.IncomingMessage,
): Promise<{ status: number; type: string; text: string }> {
  const json = (status: number, value: unknown) => ({ status, type: 'application/json', text: JSON.stringify(value) })
  const url = request.url ?? '/'
  if (url === '/healthz') return json(200, { ok: true, role: options.role, pid: process.pid })
  if (url === '/readyz') {
    const state = await options.ready()
    return json(state.ready ? 200 : 503, { role: options.role, ...state })
  }
  if (url === '/metrics')
    return { status: 200, type: 'text/plain; version=0.0.4', text: (await options.metrics?.()) ?? '' }
  const handler = options.routes?.[`${request.method} ${url}`]
  if (!handler) return json(404, { error: 'no such control route' })
  return json(200, (await handler(await readJson(request))) ?? {})
}

async function readJson(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > 64 << 20) throw new ControlError(413, 'body too large')
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    throw new ControlError(400, 'body is not JSON')
  }
}

/**
 * Calls a role's control route. `url` is `unix:<socket>` or `http://…`.
 * @throws ControlError with the role's status, or 503 when it does not answer in time.
 */
export function controlRequest(
  url: string,
  method: string,
  route: string,
  body?: unknown,
  timeoutMs = 2000,
): Promise<unknown> {
  return controlText(url, method, route, body, timeoutMs).then((text) =>
    text ? (JSON.parse(text) as unknown) : undefined,
  )
}

/** Like `controlRequest`, for answers that are not JSON (`/metrics`). */
export function controlText(
  url: string,
  method: string,
  route: string,
  body?: unknown,
  timeoutMs = 2000,
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const target = url.startsWith('unix:') ? { socketPath: url.slice(5), path: route } : { ...urlParts(url), path: route }
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        ...target,
        method,
        // A kept connection may lead to who had this address before.
        agent: false,
        headers: text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {},
        timeout: timeoutMs,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const answered = Buffer.concat(chunks).toString('utf8')
          const status = response.statusCode ?? 500
          if (status < 400 || route === '/readyz') resolve(answered)
          else reject(new ControlError(status, errorText(answered)))
        })
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => reject(new ControlError(503, error.message)))
    request.end(text)
  })
}

function urlParts(url: string) {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

function errorText(answered: string): string {
  try {
    const value = JSON.parse(answered) as { error?: unknown }
    return typeof value.error === 'string' ? value.error : answered
  } catch {
    return answered
  }
}
