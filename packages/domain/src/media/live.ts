import type { InputAdvice, LiveInput, LiveLatency, TranscoderStatus } from '@fairway/contract'
import { type Rung, ladderOf } from './ladder.ts'

/** After so long without a word of the role a stream counts as not installed. */
const INSTALL_SECONDS = 30 * 60
/** An encoder that is back within this goes on in the same stream. */
export const GRACE_SECONDS = 30

export type TranscoderFacts = {
  isOn: boolean
  revision: number
  /** What the role has taken in; null is nothing yet. */ appliedRevision: number | null
  /** Whether the process that has it was heard of lately. */ isRunnerThere: boolean
  ageSeconds: number
}

/** What the transcoder does, from what the role reports; no state is a timer but the one that gives up. */
export function transcoderStatus(facts: TranscoderFacts): TranscoderStatus {
  if (facts.appliedRevision === null) return facts.ageSeconds > INSTALL_SECONDS ? -1 : 0
  // What no process has is not running, whatever was wanted.
  if (!facts.isRunnerThere) return facts.isOn ? 2 : 1
  const isApplied = facts.appliedRevision >= facts.revision
  if (facts.isOn) return isApplied ? 3 : 4
  return isApplied ? 1 : 5
}

/** Nothing runs by what was wanted before: latency, key frames and the origin may be others. */
export const mayReshape = (status: TranscoderStatus): boolean => status === 1 || status === 0 || status === -1

export const maySwitch = (status: TranscoderStatus): boolean => status === 1 || status === 3

/** Distance of key frames, which segments are as long as. Low latency has segments of a second, for who knows no parts of them. */
export const segmentSecondsOf = (latency: LiveLatency, keyFrameSeconds: number): number =>
  latency === 'low' ? 1 : keyFrameSeconds

const MOST_SHORT = 720
const MOST_RENDITIONS = 3

/** The qualities of a live stream: those of a video, as far as they can be kept up beside each other in real time. */
export function liveLadder(input: { width: number; height: number; fps: number | null }): Rung[] {
  const all = ladderOf(input)
  const fitting = all.filter(({ width, height }) => Math.min(width, height) <= MOST_SHORT)
  return (fitting.length > 0 ? fitting : all.slice(0, 1)).slice(-MOST_RENDITIONS)
}

const MOST_DROPPED_PERCENT = 2
/** From here on lips are seen to be off (EBU R37 allows 40 ms ahead and 60 ms behind). */
const MOST_DRIFT_MS = 100

/** What should be changed in the encoder that sends, worst first; nothing is said about what is not known. */
export function adviseInput(input: LiveInput | null, wantedKeyFrames: number): InputAdvice[] {
  if (input?.state !== 'live') return []
  const { bitrate, fps, keyFrameSeconds, height, hasAudio, speed, droppedPercent, audioDriftMs } = input
  const least = height === null ? 0 : height >= 1080 ? 2_500_000 : height >= 720 ? 1_200_000 : 300_000
  const says: [InputAdvice, boolean][] = [
    ['encoding-slow', speed !== null && speed < 0.95],
    ['frames-dropped', droppedPercent !== null && droppedPercent >= MOST_DROPPED_PERCENT],
    ['bitrate-low', bitrate !== null && bitrate < least],
    ['bitrate-high', bitrate !== null && bitrate > 20_000_000],
    ['frame-rate-low', fps !== null && fps < 20],
    ['key-frames-far', keyFrameSeconds !== null && keyFrameSeconds > Math.max(wantedKeyFrames, 2) * 1.5],
    ['audio-drift', audioDriftMs !== null && Math.abs(audioDriftMs) > MOST_DRIFT_MS],
    ['no-audio', hasAudio === false],
  ]
  return says.filter(([, is]) => is).map(([advice]) => advice)
}
