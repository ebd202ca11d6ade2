import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Config, makeLog, mediaFolders, mint, openDatabase, streamKeyHash } from '@fairway/platform'
import { endTestPictures, hasFilm, insertFilm, insertLiveStream } from './store.ts'

const FILM = 'harbour-lights.mp4'
const LIVE = 'Harbour webcam'
/** Small, and encoded within seconds: it is there to be played, not to be admired. */
const PICTURE = 'gradients=size=640x360:rate=25:duration=20:speed=0.02:c0=0x1d4ed8:c1=0x0891b2:c2=0x7c3aed:c3=0x0f766e'
const SOUND = 'sine=frequency=220:duration=20,tremolo=f=0.4:d=0.8,volume=0.2'

/**
 * A live stream with a small test picture, and a film of our own, generated, as if it had been uploaded. It goes past the API, which takes files only while an
 * encoder runs; the role takes it in when it is there. Without ffmpeg there is no film.
 */
export async function seedFilm(config: Config, organizationId: string): Promise<void> {
  await using database = openDatabase(config, makeLog('seed', { logLevel: 'warn' }), { connections: 1 })
  if (await database.system((tx) => hasFilm(tx, organizationId))) return
  const keyHash = streamKeyHash(mint('streamKey').text)
  const isOnAir = config.demoLive === 'on'
  await database.system((tx) => insertLiveStream(tx, { organizationId, name: LIVE, keyHash, isOnAir }))
  const { uploads } = mediaFolders(config)
  fs.mkdirSync(uploads, { recursive: true, mode: 0o700 })
  const id = crypto.randomUUID()
  const file = path.join(uploads, id)
  const words = `-n 10 ffmpeg -v error -y -f lavfi -i ${PICTURE} -f lavfi -i ${SOUND} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -shortest -f mp4`
  const made = await promisify(execFile)('nice', [...words.split(' '), file]).catch(() => null)
  if (made === null) return fs.rmSync(file, { force: true })
  await database.system((tx) =>
    insertFilm(tx, { id, organizationId, name: FILM, size: fs.statSync(file).size, category: 'Demo' }),
  )
}

/** What is on air by itself ends where the settings say so. */
export async function endLive(config: Config): Promise<void> {
  if (config.demoLive === 'on') return
  await using database = openDatabase(config, makeLog('seed', { logLevel: 'warn' }), { connections: 1 })
  await database.system((tx) => endTestPictures(tx))
}
