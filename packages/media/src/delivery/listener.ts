import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { type Config, type HeldSockets, type Log, listenAt, mediaFolders } from '@fairway/platform'

/** `<key of the organisation>.…` */
const HOST = /^([0-9a-f]{16})\./
const PATH =
  /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/((?:[\w]{1,20}-\d{1,8}\/)?[a-z0-9]{1,20}\.(?:m3u8|m4s|mp4|jpg|vtt))$/
const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
}
/** Playlists grow; what a segment is called never holds anything else. */
const FRESH = 'public, max-age=1'
const SETTLED = 'public, max-age=31536000, immutable'

/** The origin of videos: what the edge fetches. Whole files by a name of their own; the edge sees to ranges. */
export async function startListener({
  config,
  log,
  sockets = {},
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
}): Promise<AsyncDisposable> {
  const root = mediaFolders(config).assets
  const server = http.createServer((request, response) => {
    answer(root, request, response).catch((error: unknown) => {
      log.error({ event: 'media.delivery-failed', err: error })
      response.destroy()
    })
  })
  server.requestTimeout = 15_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listenAt(sockets, config.mediaListen), resolve)
  })
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(root: string, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('x-content-type-options', 'nosniff')
  const key = HOST.exec(request.headers.host ?? '')?.[1]
  const [, id, file] = PATH.exec((request.url ?? '').split('?')[0] ?? '') ?? []
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
  const found = key && id && file ? await open(path.join(root, key, id, file)) : null
  if (found === null || file === undefined) {
    response.writeHead(404, { 'cache-control': 'public, max-age=1' }).end()
    return
  }
  const ending = file.slice(file.lastIndexOf('.') + 1)
  response.writeHead(200, {
    'content-type': TYPES[ending],
    'content-length': found.size,
    'cache-control': ending === 'm3u8' ? FRESH : SETTLED,
    'last-modified': found.at.toUTCString(),
  })
  if (request.method === 'HEAD') {
    await found.handle.close()
    response.end()
    return
  }
  // What is written on meanwhile does not make the answer longer than it said.
  const stream = found.handle.createReadStream({ end: Math.max(0, found.size - 1) })
  stream.once('error', () => response.destroy())
  response.once('close', () => stream.destroy())
  stream.pipe(response)
}

async function open(file: string): Promise<{ handle: fs.promises.FileHandle; size: number; at: Date } | null> {
  try {
    const handle = await fs.promises.open(file)
    const { size, mtime } = await handle.stat()
    if (size > 0) return { handle, size, at: mtime }
    await handle.close()
    return null
  } catch {
    return null
  }
}
