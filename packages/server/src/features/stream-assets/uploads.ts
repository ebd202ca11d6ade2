import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FileStore } from '@tus/file-store'
import { Server, Upload } from '@tus/server'
import { LIMITS, downloadPath, renditionFilePath, streamAssets, uploadPath } from '@fairway/contract'
import { type Config, type Database, type DiskGauge, type Log, mediaFolders, type Tx } from '@fairway/platform'
import type { Actor } from '../../http/actor.ts'
import { Failure } from '../../http/failure.ts'
import { allow } from '../../http/handle.ts'
import { isUuid } from '../../http/tenant.ts'
import { assetById, awaitedFile, renditionOf } from './store.ts'

type Place = { config: Config; database: Database; log: Log; disk: DiskGauge }

/** What has to stay free for everything else, beside the file and what is made of it. */
const FREE_BYTES = 2 * 2 ** 30
const MADE_FACTOR = 2

/**
 * A full disk stops uploads before it stops anything else. Asked before each piece too, since many files that were
 * announced while there was room may not all fit.
 */
export function refuseFull({ config: { home }, disk }: Pick<Place, 'config' | 'disk'>, bytes: number): void {
  const { uploads } = mediaFolders({ home })
  fs.mkdirSync(uploads, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = fs.statfsSync(uploads)
  if (disk.level() !== 'enough' || bavail * bsize < bytes * MADE_FACTOR + FREE_BYTES) throw new Failure(920902)
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
export const loadedOf = (config: Config, id: string): number =>
  fs.statSync(path.join(mediaFolders(config).uploads, id), { throwIfNoEntry: false })?.size ?? 0

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
  const tus = new Server({
    path: uploadPath('').slice(0, -1),
    datastore: storeOf(place.config),
    maxSize: LIMITS.videoBytes,
    respectForwardedHeaders: false,
    disableTerminationForFinishedUploads: true,
  })
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
        refuseFull(place, 0)
      }
      reply.hijack()
      reply.raw.setHeader('cache-control', 'no-store')
      // tus reads an id of its own out of the whole address, query included: it gets the one that was checked.
      request.raw.url = uploadPath(row.id)
      await tus.handle(request.raw, reply.raw).catch((error: unknown) => {
        place.log.warn({ event: 'upload.cut', asset: row.id, why: error instanceof Error ? error.message : '' })
        reply.raw.destroy()
      })
    },
  })
  server.get(downloadPath(':id'), { exposeHeadRoute: false }, async (request, reply) => {
    const row = await own(request, streamAssets.routes.get, assetById)
    if (row.state === 'uploading') throw new Failure(404)
    return sendFile(place.config, reply, row.file_id ?? row.id, downloadName(row.name, row.file_name))
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
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-length', found.size)
    .header('content-disposition', disposition(name))
    .header('x-no-compression', 'true')
    .send(fs.createReadStream(file))
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
