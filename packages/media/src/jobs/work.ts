import fs from 'node:fs'
import path from 'node:path'
import { encodeAudio, encodeVideo, takePoster, takeSprite } from '../ffmpeg/encode.ts'
import { measure } from '../ffmpeg/measure.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { fileOf, folderOf, type Place } from './intake.ts'
import { joinRecording } from './join-recording.ts'
import { writeMaster } from './master.ts'
import { attemptsAt, partOf } from './part-of.ts'
import { type JobRow, fail, finishJob, jobsOf, noteProgress, takeJob } from './store.ts'

const MOST_ATTEMPTS = 5
const NOTE_MS = 1_000

/** Does the next job; false when there is none. */
export async function workOnce(place: Place, runner: string, signal: AbortSignal): Promise<boolean> {
  const { config, database, log } = place
  const job = await database.system((tx) => takeJob(tx, runner))
  if (!job) return false
  const home = folderOf(config, { id: job.home_id, organization_id: job.organization_id })
  const folder = path.join(home, partOf(job))
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stop = new AbortController()
  const work = {
    file: fileOf(config, job.file_id),
    source: job.source,
    folder,
    signal: AbortSignal.any([signal, stop.signal]),
    progress: notes(place, job, stop),
  }
  try {
    if (attemptsAt(job) > MOST_ATTEMPTS) throw new MediaFailure(`given up after ${MOST_ATTEMPTS} attempts`)
    if (job.kind === 'audio') await encodeAudio(work)
    if (job.kind === 'video') await encodeVideo({ ...work, rung: job.spec })
    if (job.kind === 'recording') await joinRecording(place, job, { ...work, folder: home })
    if (job.kind === 'pictures' || job.kind === 'recording') {
      await takePoster(work)
      await takeSprite(work)
    }
    const made = job.kind === 'audio' || job.kind === 'video' ? measure(folder) : null
    await database.system((tx) => finishJob(tx, job, made))
    await writeMaster(place, job.home_id)
  } catch (error) {
    // The role stops, or the video was removed: somebody else sees to it.
    if (signal.aborted || stop.signal.aborted) return true
    if (!(error instanceof MediaFailure)) throw error
    log.warn({ event: 'media.failed', asset: job.asset_id, job: job.name, why: error.said })
    await database.system((tx) => fail(tx, job.asset_id, 30013, error.said))
  }
  return true
}

/** Writes down how far it is, once a second at most, and lets it be played as soon as it can be. */
function notes(place: Place, job: JobRow & { home_id: string }, stop: AbortController): (share: number) => void {
  const begun = Date.now()
  let last = 0
  return (share) => {
    const now = Date.now()
    if (now - last < NOTE_MS) return
    last = now
    void place.database
      .system(async (tx) => {
        const jobs = await jobsOf(tx, job.asset_id)
        const sum = (some: JobRow[]) => some.reduce((total, { cost }) => total + cost, 0)
        const done = sum(jobs.filter(({ state }) => state === 'done')) + job.cost * share
        const left = sum(jobs) - done
        const speed = (job.cost * share) / (now - begun)
        const seconds = share > 0.02 && speed > 0 ? Math.ceil(left / speed / 1000) : null
        if (!(await noteProgress(tx, job.asset_id, Math.min(1, done / sum(jobs)), seconds))) stop.abort()
      })
      // What replaces a video is played when all of it is there.
      .then(() => (job.home_id === job.asset_id ? writeMaster(place, job.asset_id) : undefined))
      // The database is away: the encoding goes on, and is written down when it is back.
      .catch(() => {})
  }
}
