import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { ListQuery, del, feature, get, page, patch, post } from './route.ts'

/**
 * `uploading` until every byte is there, `queued` until it has been looked into, `processing` while it is encoded (it
 * plays from its first rendition on), then `ready`; `failed` says why.
 */
export const StreamAssetState = z.enum(['uploading', 'queued', 'processing', 'ready', 'failed'])
export type StreamAssetState = z.infer<typeof StreamAssetState>

/** What the file is, as it was found; `fps` is null where the container does not tell. */
export const VideoSource = z.object({
  width: z.int(),
  height: z.int(),
  fps: z.number().nullable(),
  seconds: z.number(),
  videoCodec: z.string(),
  audioCodec: z.string().nullable(),
})
export type VideoSource = z.infer<typeof VideoSource>

/** One quality as a file with its sound (MP4), made when it is asked for and kept for a day. */
export const RenditionFile = z.object({
  state: z.enum(['making', 'ready', 'failed']),
  /** Bytes, and until when it is there; null while it is made. */
  size: z.int().nullable(),
  until: z.iso.datetime().nullable(),
})
export type RenditionFile = z.infer<typeof RenditionFile>

/** One quality of a video. Bit rates as measured from its segments, in bit/s; null until it is whole. */
export const Rendition = z.object({
  name: z.string(),
  width: z.int(),
  height: z.int(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  averageBitrate: z.int().nullable(),
  peakBitrate: z.int().nullable(),
  /** Null until it is asked for. */
  file: RenditionFile.nullable(),
})
export type Rendition = z.infer<typeof Rendition>

/** How far a file has come: what has arrived of it, then how much of it is encoded. */
const coming = {
  /** Bytes of the file, and how many of them have arrived. */
  size: z.int(),
  loaded: z.int(),
  state: StreamAssetState,
  /** Where the rest of its bytes is sent by tus 1.0; null once all have arrived. */
  uploadUrl: z.string().nullable(),
  /** Why it failed: an error code, and what the program that read it said. */
  reasonCode: z.int().nullable(),
  reason: z.string(),
  /** Of the encoding, 0 to 1; null when there is none. */
  progress: z.number().min(0).max(1).nullable(),
  /** Estimated from how fast it went so far; null when nobody can say. */
  secondsLeft: z.int().nullable(),
}

/** Another file for a video, which plays on as it is until all of the new one is there, and if that fails. */
export const Replacement = z.object({
  /** Of the file. */
  name: z.string(),
  ...coming,
  /** The old file is taken away as soon as the new one plays, and not when viewers have finished it. */
  atOnce: z.boolean(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
})
export type Replacement = z.infer<typeof Replacement>

export const StreamAsset = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  ...coming,
  isPlayable: z.boolean(),
  source: VideoSource.nullable(),
  renditions: z.array(Rendition),
  /** Under the edge; null until there is something to play. */
  manifestUrl: z.string().nullable(),
  /** The same by MPEG-DASH; null until a quality is whole, and for recordings of live streams. */
  dashUrl: z.string().nullable(),
  posterUrl: z.string().nullable(),
  /** Its address needs a token: signing is on. */
  isSigned: z.boolean(),
  /** The same two for the console's own player, with a token of some hours while signing is on. */
  preview: z.object({ manifestUrl: z.string(), posterUrl: z.string().nullable() }).nullable(),
  /** The live stream that it is a recording of; null for what was uploaded. */
  recordedFrom: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** On its way, or why it failed; null when there is none. */
  replacement: Replacement.nullable(),
  /** When another file took the place of the first; null when none did. */
  replacedAt: z.iso.datetime().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  readyAt: z.iso.datetime().nullable(),
})
export type StreamAsset = z.infer<typeof StreamAsset>

export const StreamAssetInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(200),
  category: z.string().trim().max(80).default(''),
  size: z.int().min(1),
})

/** What is left out stays as it is. Addresses do not follow from the name. */
export const StreamAssetChange = z.object({
  name: StreamAssetInput.shape.name.optional(),
  category: z.string().trim().max(80).optional(),
})

export const ReplacementInput = z.object({
  /** Of the file; the video keeps its own. */
  name: z.string().trim().min(1, 'validation.required').max(200),
  size: z.int().min(1),
  atOnce: z.boolean().default(false),
})

/** Endings of file names that are taken; what the file really is is looked at when it is there. */
export const VIDEO_ENDINGS = [
  'mp4',
  'm4v',
  'mov',
  'mkv',
  'webm',
  'avi',
  'flv',
  'ts',
  'm2ts',
  'mpg',
  'mpeg',
  'wmv',
  '3gp',
]

const READ = { permission: 'ViewSite', planFeature: 'vsp.enable', errors: [] } as const

/** Uploaded videos. The bytes go by tus (resumable) to the address that `create` answers. */
export const streamAssets = feature('stream-assets', {
  list: get('/vsp/v2/assets/', {
    fromReplica: true,
    in: ListQuery,
    out: page(StreamAsset).extend({ limit: z.int(), canEncode: z.boolean() }),
    ...READ,
  }),
  get: get('/vsp/v2/assets/{id}/', { out: StreamAsset, ...READ }),
  create: post('/vsp/v2/assets/', {
    in: StreamAssetInput,
    out: z.object({ data: StreamAsset, uploadUrl: z.string() }),
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [30004, 30007, 30008, 30009, 30030, 920901, 920902],
    audit: 'stream-asset.create',
    changes: [],
    spends: true,
    summary: 'Announces a file; its bytes are then sent to the answered address by tus 1.0.',
  }),
  update: patch('/vsp/v2/assets/{id}/', {
    in: StreamAssetChange,
    out: StreamAsset,
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [30007],
    audit: 'stream-asset.update',
    changes: [],
    summary: 'Another name or category; everything plays on under the same addresses.',
  }),
  remove: del('/vsp/v2/assets/{id}/', {
    out: z.object({ id: z.string() }),
    permission: 'EditSite',
    errors: [],
    makesRoom: true,
    audit: 'stream-asset.remove',
    changes: [],
    summary: 'Removes the video, and what the edge holds of it.',
  }),
  replace: post('/vsp/v2/assets/{id}/replacement/', {
    in: ReplacementInput,
    out: z.object({ data: StreamAsset, uploadUrl: z.string() }),
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [30008, 30009, 30025, 30030, 920901, 920902],
    audit: 'stream-asset.replace',
    changes: [],
    spends: true,
    summary: 'Announces another file for a video, which plays as it is until all of that is encoded.',
  }),
  dropReplacement: del('/vsp/v2/assets/{id}/replacement/', {
    out: z.object({ id: z.string() }),
    permission: 'EditSite',
    errors: [],
    makesRoom: true,
    audit: 'stream-asset.drop-replacement',
    changes: [],
    summary: 'Stops a replacement, or forgets one that failed.',
  }),
  makeFile: post('/vsp/v2/assets/{id}/files/', {
    in: z.object({ rendition: z.string().min(1).max(20) }),
    out: StreamAsset,
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [30026, 30030, 920901, 920902],
    audit: 'stream-asset.make-file',
    changes: [],
    spends: true,
    summary: 'Makes an MP4 of one quality, for a day.',
  }),
})

/** Where bytes of a file that was announced are sent to, and where the file as it was sent is had again. */
export const uploadPath = (id: string): string => `/vsp/v2/uploads/${id}`
export const downloadPath = (id: string): string => `/vsp/v2/assets/${id}/file`

export const renditionFilePath = (id: string, rendition: string): string =>
  `/vsp/v2/assets/${id}/files/${encodeURIComponent(rendition)}`

export const isTooLarge = (bytes: number): boolean => bytes > LIMITS.videoBytes
