import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { FEATURES, type StreamAsset } from '@fairway/contract'
import type { Installation } from '../../installation/start-installation.ts'
import { secret } from '@fairway/platform'

const { streamAssets } = FEATURES
const PIECE = 16 << 20

export type Film = { file: string; seconds: number }

/** Moving bars, with noise where it is to be as hard to encode as what cameras see. */
export async function makeFilm(
  folder: string,
  of: { size: string; fps: number; seconds: number; noise?: number; sound?: boolean },
): Promise<Film> {
  const { size, fps, seconds, noise = 0, sound = false } = of
  const file = path.join(folder, `bars-${size}-${seconds}.mp4`)
  const picture = `testsrc2=size=${size}:rate=${fps}:duration=${seconds}${noise > 0 ? `,noise=alls=${noise}:allf=t` : ''}`
  const tone = sound ? `-f lavfi -i sine=frequency=440:duration=${seconds} -c:a aac` : ''
  const words = `-v error -y -f lavfi -i ${picture} ${tone} -c:v libx264 -preset ultrafast -pix_fmt yuv420p`
  await promisify(execFile)('ffmpeg', [...words.split(' ').filter(Boolean), file])
  return { file, seconds }
}

/** Sends a file by tus 1.0, as any client does. Resolves when its last byte was taken. */
export async function upload(world: Installation, file: string): Promise<string> {
  const { size } = fs.statSync(file)
  // No two videos have one name.
  const name = `${crypto.randomUUID()}-${path.basename(file)}`
  const { data, uploadUrl } = await world.api(streamAssets.routes.create, { name, size })
  const authorization = `Bearer ${secret(world.config, 'cli-token')}`
  for (let offset = 0; offset < size; offset += PIECE) {
    const body = await (await fs.openAsBlob(file)).slice(offset, offset + PIECE).arrayBuffer()
    const answer = await fetch(new URL(uploadUrl, world.url), {
      method: 'PATCH',
      headers: {
        authorization,
        'tus-resumable': '1.0.0',
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      },
      body,
    })
    if (answer.status !== 204) throw new Error(`the upload was answered ${answer.status}`)
  }
  return data.id
}

/** Resolves when all of it is encoded. @throws Error with the reason when it is not */
export async function ready({ api }: Installation, id: string): Promise<StreamAsset> {
  for (;;) {
    const asset = await api(streamAssets.routes.get, { id })
    if (asset.state === 'ready') return asset
    if (asset.state === 'failed') throw new Error(`the video failed: ${asset.reasonCode} ${asset.reason}`)
    await sleep(200)
  }
}

type Fetched = { status: number; body: Buffer }

/** Asks the edge for an address under it. Nobody's answer has status 0. */
export function fromEdge({ config }: Installation, url: string): Promise<Fetched> {
  const { host, pathname, search } = new URL(url)
  return new Promise((resolve) => {
    http
      .get({ ...config.edgeHttp, path: `${pathname}${search}`, headers: { host } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces) }))
        response.on('error', () => resolve({ status: 0, body: Buffer.alloc(0) }))
      })
      .once('error', () => resolve({ status: 0, body: Buffer.alloc(0) }))
  })
}

/** What a playlist names, one after the other, resolved against it. */
export const namedIn = (playlist: string, base: string): string[] =>
  playlist
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((uri) => new URL(uri, base).href)
