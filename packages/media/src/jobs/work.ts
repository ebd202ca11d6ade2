import { joinRecording } from './join-recording.ts'
import fs from 'node:fs'
import path from 'node:path'
import type { Database } from '@fairway/platform'
import { masterPlaylist } from '@fairway/domain'
import { encodeAudio, encodeVideo, takePoster, takeSprite } from '../ffmpeg/encode.ts'
import { type Made, codecsOf, measure } from '../ffmpeg/measure.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { fileOf, folderOf, type Place } from './intake.ts'
import { type JobRow, fail, finishJob, jobsOf, markPlayable, noteProgress, takeJob } from './store.ts'

const MOST_ATTEMPTS = 5
const NOTE_MS = 1_000
/** What sound adds before it has been measured, in bit/s. */
const AUDIO_PEAK = 160_000

/** Does the next job; false when there is none. */
export async function workOnce(place: Place, runner: string, signal: AbortSignal): Promise<boolean> {
  const { config, database, log } = place
  const job = await database.system((tx) => takeJob(tx, runner))
  if (!job) return false
  const asset = { id: job.asset_id, organization_id: job.organization_id }
  const home = folderOf(config, asset)
  const folder = job.kind === 'pictures' || job.kind === 'recording' ? home : path.join(home, partOf(job))
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stop = new AbortController()
  const work = {
    file: fileOf(config, job.asset_id),
    source: job.source,
    folder,
    signal: AbortSignal.any([signal, stop.signal]),
    progress: notes(database, job, home, stop),
  }
  try {
    if (job.attempt > MOST_ATTEMPTS) throw new MediaFailure(`given up after ${MOST_ATTEMPTS} attempts`)
    if (job.kind === 'audio') await encodeAudio(work)
    if (job.kind === 'video') await encodeVideo({ ...work, rung: job.spec })
    if (job.kind === 'recording') await joinRecording(place, job, work)
    if (job.kind === 'pictures' || job.kind === 'recording') {
      await takePoster(work)
      await takeSprite(work)
    }
    const made = job.kind === 'audio' || job.kind === 'video' ? measure(folder) : null
    await database.system((tx) => finishJob(tx, job, made))
    await writeMaster(database, job.asset_id, home)
  } catch (error) {
    // The role stops, or the video was removed: somebody else sees to it.
    if (signal.aborted || stop.signal.aborted) return true
    if (!(error instanceof MediaFailure)) throw error
    log.warn({ event: 'media.failed', asset: job.asset_id, job: job.name, why: error.said })
    await database.system((tx) => fail(tx, job.asset_id, 30013, error.said))
  }
  return true
}

/** Every attempt has a folder of its own: what an edge has kept of one that was cut off is never mixed with another. */
const partOf = ({ name, attempt }: JobRow): string => `${name}-${attempt}`

/** Writes down how far it is, once a second at most, and lets it be played as soon as it can be. */
function notes(database: Database, job: JobRow, home: string, stop: AbortController): (share: number) => void {
  const begun = Date.now()
  let last = 0
  return (share) => {
    const now = Date.now()
    if (now - last < NOTE_MS) return
    last = now
    void database
      .system(async (tx) => {
        const jobs = await jobsOf(tx, job.asset_id)
        const sum = (some: JobRow[]) => some.reduce((total, { cost }) => total + cost, 0)
        const done = sum(jobs.filter(({ state }) => state === 'done')) + job.cost * share
        const left = sum(jobs) - done
        const speed = (job.cost * share) / (now - begun)
        const seconds = share > 0.02 && speed > 0 ? Math.ceil(left / speed / 1000) : null
        if (!(await noteProgress(tx, job.asset_id, Math.min(1, done / sum(jobs)), seconds))) stop.abort()
      })
      .then(() => writeMaster(database, job.asset_id, home))
      // The database is away: the encoding goes on, and is written down when it is back.
      .catch(() => {})
  }
}

/** The playlist of all renditions that can be played by now; nothing while there is none, or no sound yet. */
async function writeMaster(database: Database, assetId: string, home: string): Promise<void> {
  const jobs = await database.system((tx) => jobsOf(tx, assetId))
  const audio = jobs.find(({ kind }) => kind === 'audio')
  if (audio && audio.state !== 'done') return
  const variants = jobs.flatMap((job) => {
    const folder = path.join(home, partOf(job))
    const made = job.kind === 'video' && isBegun(folder) ? madeOf(job, folder) : null
    if (made === null) return []
    return [
      {
        uri: `${partOf(job)}/index.m3u8`,
        width: job.spec.width,
        height: job.spec.height,
        fps: job.spec.fps,
        codecs: [made.codecs, ...(audio ? ['mp4a.40.2'] : [])].join(),
        peakBitrate: made.peakBitrate + (audio?.made?.peakBitrate ?? 0),
        averageBitrate: made.averageBitrate === null ? null : made.averageBitrate + (audio?.made?.averageBitrate ?? 0),
      },
    ]
  })
  if (variants.length === 0 || !fs.existsSync(home)) return
  const draft = path.join(home, `master.${process.pid}`)
  fs.writeFileSync(draft, masterPlaylist(variants, audio ? `${partOf(audio)}/index.m3u8` : null))
  fs.renameSync(draft, path.join(home, 'master.m3u8'))
  await database.system((tx) => markPlayable(tx, assetId))
}

const isBegun = (folder: string): boolean => fs.existsSync(path.join(folder, 'index.m3u8'))

function madeOf(
  job: JobRow,
  folder: string,
): (Omit<Made, 'averageBitrate'> & { averageBitrate: number | null }) | null {
  if (job.made) return job.made
  if (job.state !== 'running') return null
  const codecs = codecsOf(fs.readFileSync(path.join(folder, 'init.mp4')))
  return { codecs, peakBitrate: job.spec.maxBitrate + AUDIO_PEAK, averageBitrate: null }
}
