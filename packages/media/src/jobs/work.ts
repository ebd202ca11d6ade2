import fs from 'node:fs'
import path from 'node:path'
import { type Output, SEGMENT_SECONDS, encodeAudio, encodeVideos, takePoster, takeSprite } from '../ffmpeg/encode.ts'
import { isWhole, keep, keptIn } from '../ffmpeg/kept.ts'
import { measure } from '../ffmpeg/measure.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import { type Places, StorageError } from '@fairway/platform'
import { NoRoom, mustHaveRoom, sourceHere } from '../stored/source.ts'
import { fileOf, folderOf, mustBeHere, type Place } from './intake.ts'
import { joinRecording } from './join-recording.ts'
import { writeMaster, writeMasterIn } from './master.ts'
import { partOf, partsOf } from './part-of.ts'
import {
  type JobRow,
  MOST_VAIN_ATTEMPTS,
  failJob,
  finishJob,
  jobsAgain,
  jobsOf,
  jobsWait,
  jobsYield,
  noteProgress,
  othersWait,
  takeJobs,
} from './store.ts'

const NOTE_MS = 1_000
/** Jobs whose file there is no room for let others go first for so long. */
const ROOM_SECONDS = 30
const AWAY_SECONDS = 1
/** So long one organisation's pictures are made while somebody else waits. */
export const TURN_MS = 300_000
const LOOK_MS = 5_000
/** Each turn is an attempt, and these are numbered within an edition of the video: what takes longer is made at one go. */
const MOST_TURNS = 60

/** Does the next job, or those that are done together, or a turn of them; false when there is none. */
export async function workOnce(
  place: Place & { places: Places },
  runner: string,
  signal: AbortSignal,
  turnMs: number,
): Promise<boolean> {
  const { config, database, log } = place
  const taken = await database.system((tx) => takeJobs(tx, runner))
  if (!taken) return false
  const { jobs, home_id: homeId } = taken
  const [job] = jobs
  const home = folderOf(config, { id: homeId, organization_id: job.organization_id })
  const folder = path.join(home, partOf(job))
  const stop = new AbortController()
  using turn = takeTurn(place, home, jobs, turnMs)
  try {
    for (const one of jobs) fs.mkdirSync(path.join(home, partOf(one)), { recursive: true, mode: 0o700 })
    // In a row that brought nothing: a file that ends the role, or its encoder, each time is not tried for ever.
    if (jobs.every((one) => vainAttempts(home, one) >= MOST_VAIN_ATTEMPTS))
      throw new MediaFailure(`given up after ${MOST_VAIN_ATTEMPTS} attempts`)
    const source = await sourceHere(place, { ...taken, organization_id: job.organization_id })
    if (job.kind === 'video') mustHaveRoom(config, taken.size)
    const work = {
      file: job.kind === 'recording' ? source : mustBeHere(source),
      source: taken.source,
      folder: home,
      signal: AbortSignal.any([signal, stop.signal, turn.over]),
      progress: notes(place, jobs, homeId, stop),
    }
    if (job.kind === 'audio') await encodeAudio({ ...work, part: partOf(job) })
    if (job.kind === 'video') await encodeVideos({ ...work, outputs: jobs.map((one) => outputOf(home, one)) })
    if (job.kind === 'recording') await joinRecording(place, job, work)
    if (job.kind === 'pictures' || job.kind === 'recording') {
      await takePoster({ ...work, folder })
      await takeSprite({ ...work, folder })
    }
    const isMeasured = job.kind === 'audio' || job.kind === 'video'
    const made = jobs.map((one) => (isMeasured ? measure(path.join(home, partOf(one))) : null))
    await database.system(async (tx) => {
      for (const [index, one] of jobs.entries()) await finishJob(tx, one, made[index] ?? null)
      // Ready is said of a video whose playlist has all of it.
      await writeMasterIn(tx, config, homeId)
    })
  } catch (error) {
    // The role stops, or the video was removed: somebody else sees to it.
    if (signal.aborted || stop.signal.aborted) return true
    if (turn.over.aborted) {
      const shares = jobs.map((one) => Math.min(1, (madeNow(home, one) * SEGMENT_SECONDS) / taken.source.seconds))
      await database.system((tx) => jobsYield(tx, jobs, runner, shares))
      return true
    }
    if (error instanceof NoRoom) {
      await database.system((tx) => jobsWait(tx, jobs, ROOM_SECONDS))
      return true
    }
    if (error instanceof StorageError) {
      await database.system((tx) => jobsWait(tx, jobs, AWAY_SECONDS))
      throw error
    }
    const vain = Math.min(...jobs.map((one) => vainAttempts(home, one)))
    const again = () => database.system((tx) => jobsAgain(tx, jobs, runner, vain))
    if (!(error instanceof MediaFailure)) {
      // While the database is away this is not written either: whoever takes the next job puts these back.
      await again().catch(() => {})
      throw error
    }
    const isOurs = error.isOurs || place.disk.level() !== 'enough'
    if (isOurs && vain < MOST_VAIN_ATTEMPTS) {
      log.warn({ event: 'media.put-off', asset: job.asset_id, job: job.name, why: error.said })
      await again()
      return true
    }
    log.warn({ event: 'media.failed', asset: job.asset_id, job: job.name, why: error.said })
    const hasFailed = await database.system((tx) => failJob(tx, job, runner, error.said))
    // What lies elsewhere is brought again when somebody asks for another attempt.
    if (hasFailed && taken.upload_in !== '') fs.rmSync(fileOf(config, taken.file_id), { force: true })
  }
  return true
}

/**
 * Is over when somebody else has waited for so long, and something whole was made: a film of hours keeps nobody's from
 * being begun, and the next turn goes on where this one ends.
 */
function takeTurn(
  { database }: Place,
  home: string,
  jobs: readonly [JobRow, ...JobRow[]],
  ms: number,
): Disposable & { over: AbortSignal } {
  const over = new AbortController()
  const [{ kind, organization_id: organization }] = jobs
  const hasMade = (job: JobRow) => isWhole(path.join(home, partOf(job))) || madeNow(home, job) > 0
  const look = async () => {
    if (!jobs.every((job) => partsOf(job).length < MOST_TURNS && hasMade(job))) return
    if (await database.system((tx) => othersWait(tx, organization))) over.abort()
  }
  const end = performance.now() + ms
  const timer = setInterval(
    () => {
      // The database is away: the encoding goes on.
      if (kind === 'video' && performance.now() > end) void look().catch(() => {})
    },
    Math.min(LOOK_MS, ms),
  )
  return { over: over.signal, [Symbol.dispose]: () => clearInterval(timer) }
}

/** Folders of the attempts before this one, the newest first. */
const foldersBefore = (home: string, job: JobRow): string[] =>
  partsOf(job)
    .slice(1)
    .map((part) => path.join(home, part))

/** Segments that this attempt has made whole by now. */
function madeNow(home: string, job: JobRow): number {
  const [before] = foldersBefore(home, job)
  return Math.max(0, keptIn(path.join(home, partOf(job))) - (before === undefined ? 0 : keptIn(before)))
}

function outputOf(home: string, job: JobRow): Output {
  const part = partOf(job)
  const [before] = foldersBefore(home, job)
  return { rung: job.spec, part, kept: before === undefined ? null : keep(before, path.join(home, part)) }
}

/** Attempts before this one, back to the last that made a segment whole, or after which somebody asked for others. */
export function vainAttempts(home: string, job: JobRow): number {
  const made = foldersBefore(home, job).map(keptIn)
  const last = made.findIndex((count, index) => count > (made[index + 1] ?? 0))
  return Math.min(job.attempt - 1 - job.vain_from, job.kind !== 'video' || last < 0 ? made.length : last)
}

/** Writes down how far it is, once a second at most, and lets it be played as soon as it can be. */
function notes(
  place: Place,
  [job, ...beside]: readonly [JobRow, ...JobRow[]],
  homeId: string,
  stop: AbortController,
): (share: number) => void {
  const cost = sumOf([job, ...beside])
  const begun = Date.now()
  let last = 0
  let first: number | null = null
  return (share) => {
    first ??= share
    // What an attempt before has done was not done since then.
    const own = share - first
    const now = Date.now()
    if (now - last < NOTE_MS) return
    last = now
    void place.database
      .system(async (tx) => {
        const jobs = await jobsOf(tx, job.asset_id)
        const done = sumOf(jobs.filter(({ state }) => state === 'done')) + cost * share
        const left = sumOf(jobs) - done
        const speed = (cost * own) / (now - begun)
        const seconds = own > 0.02 && speed > 0 ? Math.ceil(left / speed / 1000) : null
        if (!(await noteProgress(tx, job.asset_id, Math.min(1, done / sumOf(jobs)), seconds))) stop.abort()
      })
      // What replaces a video is played when all of it is there.
      .then(() => (homeId === job.asset_id ? writeMaster(place, job.asset_id) : undefined))
      // The database is away: the encoding goes on, and is written down when it is back.
      .catch(() => {})
  }
}

const sumOf = (jobs: readonly JobRow[]): number => jobs.reduce((total, { cost }) => total + cost, 0)
