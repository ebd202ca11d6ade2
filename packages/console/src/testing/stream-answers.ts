import type { LiveStream, StreamAsset } from '@fairway/contract'

const AT = '2026-11-21T10:00:00Z'

/** A plan with video. */
export const VIDEO_PLAN = { id: 'p', name: 'Enterprise', ability: ['multiCdn.enable' as const, 'vsp.enable' as const] }

/** A video that plays. */
export const video: StreamAsset = {
  id: 'v1',
  name: 'pier.mp4',
  category: '',
  size: 1,
  loaded: 1,
  state: 'ready',
  uploadUrl: null,
  reasonCode: null,
  reason: '',
  progress: null,
  secondsLeft: null,
  isPlayable: true,
  source: { width: 320, height: 180, fps: 25, seconds: 90, videoCodec: 'h264', audioCodec: null },
  renditions: [],
  manifestUrl: 'http://k.stream.localhost/v1/master.m3u8',
  dashUrl: 'http://k.stream.localhost/v1/manifest.mpd',
  posterUrl: null,
  isSigned: false,
  preview: null,
  recordedFrom: null,
  replacement: null,
  replacedAt: null,
  createdBy: 'ada',
  createdAt: AT,
  readyAt: AT,
}

/** A live stream that is on air. */
export const live: LiveStream = {
  id: 'l1',
  name: 'Harbour',
  protocol: 'rtmp',
  originUrl: null,
  latency: 'normal',
  keyFrameSeconds: 2,
  rewindSeconds: 1_800,
  isRecorded: false,
  transcoderStatus: 3,
  runningSince: AT,
  inputUrl: 'rtmp://live.example/live',
  hasWhip: true,
  keyMadeAt: AT,
  input: {
    state: 'live',
    since: AT,
    bitrate: 4_000_000,
    fps: 30,
    keyFrameSeconds: 2,
    width: 1280,
    height: 720,
    hasAudio: true,
    droppedPercent: 0,
    audioDriftMs: 0,
    speed: 1,
    problem: '',
    isTest: false,
  },
  advice: [],
  renditions: [{ name: '720p', width: 1280, height: 720 }],
  outputUrl: 'http://k.stream.localhost/l1/master.m3u8',
  dashUrl: 'http://k.stream.localhost/l1/manifest.mpd',
  isSigned: false,
  previewUrl: null,
  askedAt: null,
  test: null,
  createdBy: 'ada',
  createdAt: AT,
}
