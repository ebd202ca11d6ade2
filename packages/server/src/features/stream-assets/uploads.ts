import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FileStore } from '@tus/file-store'
import { DataStore, ERRORS, Server, Upload } from '@tus/server'
import { LIMITS, downloadPath, renditionFilePath, streamAssets, uploadPath } from '@fairway/contract'
import {
  type Config,
  type Database,
  type DiskGauge,
  type Log,
  type Places,
  type Tx,
  appendPieces,
  countPieces,
  mediaFolders,
  mostPieces,
  piecesEnd,
  readPieces,
  roomForVideo,
  uploadPrefix,
} from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import { Failure } from '../../http/failure.ts'
import { allow } from '../../http/handle.ts'
import { isUuid } from '../../http/tenant.ts'
import { type AssetRow, type AwaitedFile, assetById, awaitedFile, noteArrived, renditionOf } from './store.ts'

type Place = { config: Config; database: Database; log: Log; disk: DiskGauge; places: Places }

/**
 * A full disk stops uploads before it stops anything else. Asked before each piece too, since many files that were
 * announced while there was room may not all fit. What is uploaded elsewhere has no need of this machine's room.
 */
export function refuseFull(
  { config: { home }, disk }: Pick<Place, 'config' | 'disk'>,
  bytes: number,
  uploadIn: string,
): void {
  if (uploadIn !== '' && disk.level() === 'enough') return
  const { uploads } = mediaFolders({ home })
  fs.mkdirSync(uploads, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = fs.statfsSync(uploads)
  if (disk.level() !== 'enough' || bavail * bsize < roomForVideo(bytes)) throw new Failure(920902)
}

const storeOf = (config: Config): FileStore => {
  const { uploads } = mediaFolders(config)
  fs.mkdirSync(uploads, { recursive: true, mode: 0o700 })
  return new FileStore({ directory: uploads })
}

/** Makes the empty file that the bytes of a video are appended to. */
export async function openUpload(config: Config, id: string, size: number): Promise<void> {
  await storeOf(config).create(new Upload({ id, size, offset: 0 }))
}

/** Bytes that have arrived. */
export const loadedOf = (config: Config, row: Pick<AssetRow, 'id' | 'upload_in' | 'loaded'>): number =>
  row.upload_in === ''
    ? (fs.statSync(path.join(mediaFolders(config).uploads, row.id), { throwIfNoEntry: false })?.size ?? 0)
    : row.loaded

/** As tus has its errors. */
const TOO_MANY_PIECES = { status_code: 429, body: 'This file came in too many pieces: announce it anew.\n' }

/** Files in pieces where uploads and videos are kept: what was begun at one machine goes on at another. */
class PieceStore extends DataStore {
  readonly #place: Place

  constructor(place: Place) {
    super()
    this.#place = place
  }

  async #of(id: string): Promise<{ file: AwaitedFile; at: Parameters<typeof piecesEnd> }> {
    const { database, places } = this.#place
    const file = await database.system((tx) => awaitedFile(tx, id))
    if (!file) throw ERRORS.FILE_NOT_FOUND
    return { file, at: [places.at(file.upload_in), uploadPrefix(file.organization_id, id)] }
  }

  override async getUpload(id: string): Promise<Upload> {
    const { file, at } = await this.#of(id)
    return new Upload({ id, size: file.size, offset: await piecesEnd(...at) })
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const { file, at } = await this.#of(id)
    const [storage] = at
    if ((await countPieces(...at)) >= mostPieces(file.size)) throw TOO_MANY_PIECES
    return appendPieces(...at, offset, bytes, async ({ key }, end) => {
      if (await this.#place.database.system((tx) => noteArrived(tx, id, end))) return
      // It was removed meanwhile: whoever emptied its place did not see this one.
      await storage.delete(key)
      throw ERRORS.FILE_NO_LONGER_EXISTS
    })
  }
}

/**
 * Bytes in and out: files are appended to by tus 1.0 (HEAD says how much has arrived, PATCH sends more), which any of
 * its clients speaks, and had again as they were sent. Every request stands for itself: who may announce a file may
 * send it, to a video of the own organisation that still waits for it.
 */
export function registerUploads(
  server: FastifyInstance,
  place: Place,
  authenticate: (request: FastifyRequest) => Promise<Actor>,
): void {
  const tusOver = (datastore: DataStore): Server =>
    new Server({
      path: uploadPath('').slice(0, -1),
      datastore,
      maxSize: LIMITS.videoBytes,
      respectForwardedHeaders: false,
      disableTerminationForFinishedUploads: true,
    })
  const [onDisk, elsewhere] = [tusOver(storeOf(place.config)), tusOver(new PieceStore(place))]
  const own = async <Row>(
    request: FastifyRequest,
    route: typeof streamAssets.routes.create | typeof streamAssets.routes.get,
    find: (tx: Tx, id: string) => Promise<Row | undefined>,
  ): Promise<Row> => {
    const actor = await authenticate(request)
    allow(route, actor, request)
    const { id } = request.params as { id: string }
    if (actor.kind !== 'user' || !isUuid(id)) throw new Failure(404)
    const row = await place.database.tenant(actor.organizationId, (tx: Tx) => find(tx, id))
    if (!row) throw new Failure(404)
    return row
  }
  // The bytes go past the framework, to the disk as they come.
  server.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
  server.route({
    method: ['HEAD', 'PATCH'],
    url: uploadPath(':id'),
    handler: async (request, reply) => {
      const row = await own(request, streamAssets.routes.create, awaitedFile)
      if (request.method === 'PATCH') {
        if (row.state !== 'uploading') throw new Failure(404)
        refuseFull(place, 0, row.upload_in)
      }
      reply.hijack()
      reply.raw.setHeader('cache-control', 'no-store')
      // tus reads an id of its own out of the whole address, query included: it gets the one that was checked.
      request.raw.url = uploadPath(row.id)
      const tus = row.upload_in === '' ? onDisk : elsewhere
      await tus.handle(request.raw, reply.raw).catch((error: unknown) => {
        place.log.warn({ event: 'upload.cut', asset: row.id, why: error instanceof Error ? error.message : '' })
        reply.raw.destroy()
      })
    },
  })
  server.get(downloadPath(':id'), { exposeHeadRoute: false }, async (request, reply) => {
    const row = await own(request, streamAssets.routes.get, assetById)
    if (row.state === 'uploading') throw new Failure(404)
    const [id, name] = [row.file_id ?? row.id, downloadName(row.name, row.file_name)]
    if (row.upload_in === '') return sendFile(place.config, reply, id, name)
    const pieces = readPieces(place.places.at(row.upload_in), uploadPrefix(row.organization_id, id))
    return send(reply, Readable.from(pieces, { objectMode: false }), row.size, name)
  })
  server.get(
    renditionFilePath(':id', ':rendition').replace('%3A', ':'),
    { exposeHeadRoute: false },
    async (request, reply) => {
      const row = await own(request, streamAssets.routes.get, assetById)
      const { rendition } = request.params as { rendition: string }
      const found = await place.database.tenant(row.organization_id, (tx: Tx) => renditionOf(tx, row.id, rendition))
      if (!found?.fileId || found.state !== 'done') throw new Failure(404)
      return sendFile(place.config, reply, found.fileId, `${stem(row.name)}-${rendition}.mp4`)
    },
  )
}

function sendFile(config: Config, reply: FastifyReply, id: string, name: string): FastifyReply {
  const file = path.join(mediaFolders(config).uploads, id)
  const found = fs.statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Failure(404)
  return send(reply, fs.createReadStream(file), found.size, name)
}

function send(reply: FastifyReply, bytes: Readable, size: number, name: string): FastifyReply {
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', disposition(name))
    .header('x-no-compression', 'true')
    .send(bytes)
}

const stem = (name: string): string => name.replace(/\.[^.]{1,5}$/, '')

/** A file that took the place of another may be of another kind. */
function downloadName(name: string, fileName: string | null): string {
  const ending = (of: string) => of.split('.').at(-1)?.toLowerCase() ?? ''
  return fileName === null || ending(fileName) === ending(name) ? name : `${stem(name)}.${ending(fileName)}`
}

/** RFC 6266: a plain name for all, and the real one. */
const disposition = (name: string): string =>
  `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`
