import crypto from 'node:crypto'
import http from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type StreamBalance, steeringPath } from '@fairway/contract'
import {
  ENTRY_PATHWAY,
  QUERIED_MARK,
  balancedPlaylist,
  balancedPresentation,
  enteredPlaylist,
  enteredPresentation,
  isOfFile,
  queriedPlaylist,
  queriedPresentation,
  readRange,
} from '@fairway/domain'
import {
  type Config,
  type HeldSockets,
  type Log,
  StorageError,
  listenAt,
  type Places,
  mediaFolders,
  streamPort,
} from '@fairway/platform'
import type { Tail, Tails } from '../live/tail.ts'
import type { Whip } from '../live/whip/whip.ts'
import type { Balancers } from './balancers.ts'
import { type Found, find } from './find.ts'
import { apartOf, liveManifest } from './live-manifest.ts'
import { type PlayerPlace, answerPlayer } from './player.ts'

/** `<key of the organisation>.…` */
const HOST = /^([0-9a-f]{16})\./
const PATH =
  /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/((?:[\w]{1,20}-\d{1,8}\/)?[a-z0-9]{1,20}\.(?:m3u8|mpd|m4s|m4s\.sha256|mp4|jpg|vtt|json))$/
const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
  sha256: 'text/plain',
}
const MASTER = 'master.m3u8'
const MANIFEST = 'manifest.mpd'
/** They grow, and say where else files are had. */
const LIST = /\.(?:m3u8|mpd)$/
const SUM = /\.sha256$/
/** Playlists grow; what a segment is called never holds anything else. */
const FRESH = 'public, max-age=1'
const SETTLED = 'public, max-age=31536000, immutable'
/** Pictures beside the playlist have one name for whatever stands for the video just now. */
const CHANGING = 'public, max-age=60'

/** The origin of videos: what the edge fetches. Files by a name of their own, from the disk or where they were put. */
export async function startListener({
  config,
  log,
  balancers,
  tails,
  places,
  player,
  answered,
  asked,
  whip,
  sockets = {},
}: {
  config: Config
  log: Log
  balancers: Balancers
  tails: Tails
  places: Places
  player: Omit<PlayerPlace, 'root'>
  answered: (status: number) => void
  /** A playlist of this video or stream is asked for. */
  asked: (id: string) => void
  whip: Pick<Whip, 'isAsked' | 'answer'>
  sockets?: HeldSockets
}): Promise<AsyncDisposable> {
  const root = mediaFolders(config).assets
  const server = http.createServer((request, response) => {
    // Whoever leaves before was answered nothing.
    response.once('finish', () => answered(response.statusCode))
    const whole = { config, root, balancers, tails, places, player: { ...player, root }, asked }
    const work = whip.isAsked(request.url ?? '') ? whip.answer(request, response) : answer(whole, request, response)
    work.catch((error: unknown) => {
      if (error instanceof StorageError) {
        log.warn({ event: 'media.storage-away', why: error.message })
        // Edges go on with what they have kept.
        if (!response.headersSent)
          return void response.writeHead(503, { 'cache-control': 'no-store', 'retry-after': '1' }).end()
      } else if (!isGone(error)) log.error({ event: 'media.delivery-failed', err: error })
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

type Place = {
  config: Config
  root: string
  balancers: Balancers
  tails: Tails
  places: Places
  player: PlayerPlace
  asked: (id: string) => void
}

async function answer(
  { config, root, balancers, tails, places, player, asked }: Place,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('x-content-type-options', 'nosniff')
  const key = HOST.exec(request.headers.host ?? '')?.[1]
  const [target = '', query = ''] = (request.url ?? '').split('?')
  // Of a CDN whose viewers carry their signature in the query, and are steered to no other one.
  const isQueried = target.startsWith(`${QUERIED_MARK}/`)
  const [, id, file] = PATH.exec(isQueried ? target.slice(QUERIED_MARK.length) : target) ?? []
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end()
  if (id && file !== undefined && LIST.test(file)) asked(id)
  if (await answerPlayer(player, key, target, request, response)) return
  if (
    key &&
    id &&
    file &&
    (await atTail(tails.of(path.join(root, key, id)), { file, query, isQueried }, request, response))
  )
    return
  // The main playlist as it was made, for who is not to be steered. A sum is of the segment that it is named after.
  const name = file === 'plain.m3u8' ? MASTER : file?.replace(SUM, '')
  const found = key && id && name ? await find({ root, places }, { key, id, name }) : null
  const isDash = file === MANIFEST
  const folder = key && id && found === null ? path.join(root, key, id) : null
  const live = folder !== null && isDash ? await liveManifest(folder, tails.of(folder)) : null
  const track = folder !== null && file !== undefined ? await apartOf(folder, file) : null
  if (track !== null && file !== undefined) {
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1)]
    response.writeHead(200, { 'content-type': type, 'content-length': track.length, 'cache-control': SETTLED })
    return void response.end(request.method === 'HEAD' ? undefined : track)
  }
  if ((found === null && live === null) || file === undefined) {
    response.writeHead(404, { 'cache-control': 'public, max-age=1' }).end()
    return
  }
  if ((file === MASTER || isDash || (isQueried && LIST.test(file))) && key && id) {
    const text = live ?? (found === null ? '' : await textOf(found))
    const isFile = live === null && (isDash || isOfFile(text))
    const balance = isQueried ? undefined : balancers.of(key, isFile ? null : id)
    const query = isDash ? queriedPresentation : queriedPlaylist
    const steer = isDash ? steeredPresentation : steered
    const body = balance ? steer(config, balance, id, text) : isQueried ? query(text) : text
    response.writeHead(200, {
      'content-type': TYPES[isDash ? 'mpd' : 'm3u8'],
      'content-length': Buffer.byteLength(body),
      'cache-control': FRESH,
      ...(!balance && found !== null && { 'last-modified': found.at.toUTCString() }),
    })
    return void response.end(request.method === 'HEAD' ? undefined : body)
  }
  if (found === null) return
  if (SUM.test(file)) {
    // What viewers pass to each other is checked against this.
    const sum = await sumOf(found)
    response.writeHead(200, {
      'content-type': TYPES['sha256'],
      'content-length': sum.length,
      'cache-control': SETTLED,
    })
    return void response.end(request.method === 'HEAD' ? undefined : sum)
  }
  await give(found, file, request, response)
}

async function give(found: Found, file: string, request: http.IncomingMessage, response: http.ServerResponse) {
  const { size } = found
  const ending = file.slice(file.lastIndexOf('.') + 1)
  const asked = readRange(
    request.method === 'GET' && isThatVersion(request, found) ? request.headers.range : undefined,
    size,
  )
  response.setHeader('accept-ranges', 'bytes')
  if (asked === 'none') {
    await found.close()
    return void response.writeHead(416, { 'content-range': `bytes */${size}` }).end()
  }
  const { from, to } = asked === 'all' ? { from: 0, to: size } : asked
  response.writeHead(asked === 'all' ? 200 : 206, {
    'content-type': TYPES[ending],
    'content-length': to - from,
    'cache-control': LIST.test(file) ? FRESH : file.includes('/') ? SETTLED : CHANGING,
    'last-modified': found.at.toUTCString(),
    ...(asked !== 'all' && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
  })
  if (request.method === 'HEAD') {
    await found.close()
    return void response.end()
  }
  // Whoever leaves ends the reading, too.
  await pipeline(found.read({ from, to }), response)
}

/** A part of another version must not be put together with what the client has (RFC 9110 13.1.5). */
const isThatVersion = ({ headers }: http.IncomingMessage, { at }: Found): boolean =>
  headers['if-range'] === undefined || headers['if-range'] === at.toUTCString()

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

/**
 * What is asked of a stream with parts: its playlist, and files that come in a moment. Whether it was answered; a file
 * that was waited for lies on the disk now, or does not come.
 */
async function atTail(
  tail: Tail | undefined,
  { file, query, isQueried }: { file: string; query: string; isQueried: boolean },
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<boolean> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const [, list, part, rung = '', name = ''] = /^(?:(\w+)\.m3u8|((\w+)-\d+)\/(\w+\.m4s))$/.exec(file) ?? []
  if (part !== undefined) await tail?.file(rung, part, name, gone.signal)
  if (list === undefined) return false
  const found = await tail?.playlist(list, query, gone.signal)
  // A signature would not follow to where another request is sent: it gets what lies there.
  if (isQueried && (!found || found.status === 302)) return false
  if (found) {
    const { status, cacheControl, location } = found
    const pieces =
      isQueried && status === 200
        ? [Buffer.from(queriedPlaylist(Buffer.concat(found.pieces).toString()))]
        : found.pieces
    response.writeHead(status, {
      'content-type': TYPES['m3u8'],
      'content-length': pieces.reduce((sum, { length }) => sum + length, 0),
      'cache-control': cacheControl,
      ...(location !== undefined && { location }),
      ...(status === 503 && { 'retry-after': '1' }),
    })
    response.cork()
    if (request.method !== 'HEAD') for (const piece of pieces) response.write(piece)
    response.end()
    return true
  }
  // Each address is kept for itself: of what is the same there is one.
  if (!query.includes('_HLS_')) return false
  response.writeHead(302, { 'cache-control': FRESH, location: path.posix.basename(file) }).end()
  return true
}

/** Its question names the pathways of this playlist, so that others can be told as copies of them. */
function steered(config: Config, balance: StreamBalance, id: string, master: string): string {
  const { pathways, signed } = balance
  const serverUri = steeringUri(config, balance)
  if (signed === true) return enteredPlaylist(master, serverUri)
  const { isTls, port } = portOf(config, balance)
  return balancedPlaylist(master, { pathways, serverUri, folder: `/${id}/`, scheme: isTls ? 'https:' : '', port })
}

/** The question names the port as well: players of DASH do not keep it where a host takes another's place. */
function steeredPresentation(config: Config, balance: StreamBalance, id: string, mpd: string): string {
  const { pathways, signed } = balance
  const { isTls, port } = portOf(config, balance)
  const serverUri = `${steeringUri(config, balance)}${port.replace(':', '&port=')}`
  if (signed === true) return enteredPresentation(mpd, serverUri)
  const scheme = isTls ? 'https:' : 'http:'
  return balancedPresentation(mpd, { pathways, serverUri, folder: `/${id}/`, scheme, port })
}

function steeringUri(config: Config, { pathways, balancerId, signed }: StreamBalance): string {
  const known = signed === true ? ENTRY_PATHWAY : pathways.map((pathway) => pathway.id).join(',')
  return `${config.collectorUrl}${steeringPath(balancerId)}?p=${known}`
}

/** With a colon in front; empty at the usual one. */
function portOf(config: Config, { httpsPort }: StreamBalance): { isTls: boolean; port: string } {
  if (httpsPort === undefined) return { isTls: false, port: streamPort(config) }
  return { isTls: true, port: httpsPort === 443 ? '' : `:${httpsPort}` }
}

async function sumOf(found: Found): Promise<string> {
  const hash = crypto.createHash('sha256')
  for await (const piece of found.read({ from: 0, to: found.size })) hash.update(piece)
  return hash.digest('hex')
}

async function textOf(found: Found): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of found.read({ from: 0, to: found.size })) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
