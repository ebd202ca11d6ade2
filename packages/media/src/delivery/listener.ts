import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { type StreamBalance, steeringPath } from '@fairway/contract'
import { balancedPlaylist } from '@fairway/domain'
import { type Config, type HeldSockets, type Log, listenAt, mediaFolders, streamPort } from '@fairway/platform'
import type { Tail, Tails } from '../live/tail.ts'
import type { Balancers } from './balancers.ts'

/** `<key of the organisation>.…` */
const HOST = /^([0-9a-f]{16})\./
const PATH =
  /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/((?:[\w]{1,20}-\d{1,8}\/)?[a-z0-9]{1,20}\.(?:m3u8|m4s|m4s\.sha256|mp4|jpg|vtt|json))$/
const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
  sha256: 'text/plain',
}
const MASTER = 'master.m3u8'
const SUM = /\.sha256$/
/** Playlists grow; what a segment is called never holds anything else. */
const FRESH = 'public, max-age=1'
const SETTLED = 'public, max-age=31536000, immutable'
/** Pictures beside the playlist have one name for whatever stands for the video just now. */
const CHANGING = 'public, max-age=60'

/** The origin of videos: what the edge fetches. Whole files by a name of their own; the edge sees to ranges. */
export async function startListener({
  config,
  log,
  balancers,
  tails,
  sockets = {},
}: {
  config: Config
  log: Log
  balancers: Balancers
  tails: Tails
  sockets?: HeldSockets
}): Promise<AsyncDisposable> {
  const root = mediaFolders(config).assets
  const server = http.createServer((request, response) => {
    answer({ config, root, balancers, tails }, request, response).catch((error: unknown) => {
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

type Place = { config: Config; root: string; balancers: Balancers; tails: Tails }

async function answer(
  { config, root, balancers, tails }: Place,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('x-content-type-options', 'nosniff')
  const key = HOST.exec(request.headers.host ?? '')?.[1]
  const [asked = '', query = ''] = (request.url ?? '').split('?')
  const [, id, file] = PATH.exec(asked) ?? []
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
  if (key && id && file && (await atTail(tails.of(path.join(root, key, id)), { file, query }, request, response)))
    return
  // The main playlist as it was made, for who is not to be steered. A sum is of the segment that it is named after.
  const name = file === 'plain.m3u8' ? MASTER : file?.replace(SUM, '')
  const found = key && id && name ? await open(path.join(root, key, id, name)) : null
  if (found === null || file === undefined) {
    response.writeHead(404, { 'cache-control': 'public, max-age=1' }).end()
    return
  }
  if (file === MASTER && key && id) {
    const master = await found.handle.readFile('utf8')
    const balance = balancers.of(key, id, master)
    if (balance) {
      await found.handle.close()
      const body = steered(config, balance, id, master)
      response.writeHead(200, {
        'content-type': TYPES['m3u8'],
        'content-length': Buffer.byteLength(body),
        'cache-control': FRESH,
      })
      return void response.end(request.method === 'HEAD' ? undefined : body)
    }
  }
  if (SUM.test(file)) {
    // What viewers pass to each other is checked against this.
    const sum = await sumOf(found.handle)
    response.writeHead(200, {
      'content-type': TYPES['sha256'],
      'content-length': sum.length,
      'cache-control': SETTLED,
    })
    return void response.end(request.method === 'HEAD' ? undefined : sum)
  }
  const ending = file.slice(file.lastIndexOf('.') + 1)
  response.writeHead(200, {
    'content-type': TYPES[ending],
    'content-length': found.size,
    'cache-control': ending === 'm3u8' ? FRESH : file.includes('/') ? SETTLED : CHANGING,
    'last-modified': found.at.toUTCString(),
  })
  if (request.method === 'HEAD') {
    await found.handle.close()
    response.end()
    return
  }
  // What is written on meanwhile does not make the answer longer than it said.
  const stream = found.handle.createReadStream({ start: 0, end: Math.max(0, found.size - 1) })
  stream.once('error', () => response.destroy())
  response.once('close', () => stream.destroy())
  stream.pipe(response)
}

/**
 * What is asked of a stream with parts: its playlist, and files that come in a moment. Whether it was answered; a file
 * that was waited for lies on the disk now, or does not come.
 */
async function atTail(
  tail: Tail | undefined,
  { file, query }: { file: string; query: string },
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<boolean> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const [, list, part, rung = '', name = ''] = /^(?:(\w+)\.m3u8|((\w+)-\d+)\/(\w+\.m4s))$/.exec(file) ?? []
  if (part !== undefined) await tail?.file(rung, part, name, gone.signal)
  if (list === undefined) return false
  const found = await tail?.playlist(list, query, gone.signal)
  if (found) {
    const { status, text, cacheControl, location } = found
    response.writeHead(status, {
      'content-type': TYPES['m3u8'],
      'content-length': Buffer.byteLength(text),
      'cache-control': cacheControl,
      ...(location !== undefined && { location }),
      ...(status === 503 && { 'retry-after': '1' }),
    })
    response.end(request.method === 'HEAD' ? undefined : text)
    return true
  }
  // Each address is kept for itself: of what is the same there is one.
  if (!query.includes('_HLS_')) return false
  response.writeHead(302, { 'cache-control': FRESH, location: path.posix.basename(file) }).end()
  return true
}

/** Its question names the pathways of this playlist, so that others can be told as copies of them. */
function steered(config: Config, balance: StreamBalance, id: string, master: string): string {
  const { pathways, balancerId } = balance
  const known = pathways.map((pathway) => pathway.id).join(',')
  return balancedPlaylist(master, {
    pathways,
    serverUri: `${config.collectorUrl}${steeringPath(balancerId)}?p=${known}`,
    folder: `/${id}/`,
    port: streamPort(config),
  })
}

async function sumOf(handle: fs.promises.FileHandle): Promise<string> {
  const hash = crypto.createHash('sha256')
  // Closes the file when it ends, or fails.
  for await (const piece of handle.createReadStream()) hash.update(piece as Buffer)
  return hash.digest('hex')
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
