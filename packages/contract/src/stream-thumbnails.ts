import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { feature, get, put } from './route.ts'

/** `automatic`: taken from a tenth of the way in. `moment`: from a time that was chosen. `picture`: one that was sent. */
export const ThumbnailKind = z.enum(['automatic', 'moment', 'picture'])
export type ThumbnailKind = z.infer<typeof ThumbnailKind>

export const Thumbnail = z.object({
  kind: ThumbnailKind,
  /** Seconds of the film. */
  at: z.number().nullable(),
  /** `making` until viewers get it, `failed` with the reason; the one before stays until then. */
  state: z.enum(['live', 'making', 'failed']),
  reasonCode: z.int().nullable(),
  reason: z.string(),
  /** What viewers get now, and the same for the console; null while there is none. */
  url: z.string().nullable(),
  previewUrl: z.string().nullable(),
  /** Small pictures of the whole film, which a moment can be chosen by; null until there are any. */
  spriteUrl: z.string().nullable(),
  changedBy: z.string().nullable(),
  changedAt: z.iso.datetime().nullable(),
})
export type Thumbnail = z.infer<typeof Thumbnail>

export const ThumbnailInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('automatic') }),
  z.object({
    kind: z.literal('moment'),
    at: z.number().min(0, 'validation.invalid').max(LIMITS.captions.seconds, 'validation.invalid'),
  }),
  z.object({
    kind: z.literal('picture'),
    /** JPEG, PNG or WebP in base64. How large it may be is said by 413. */
    file: z
      .base64('validation.invalid')
      .min(1, 'validation.required')
      .max(Math.ceil(LIMITS.thumbnailBytes / 3) * 4 + 4_000),
  }),
])
export type ThumbnailInput = z.infer<typeof ThumbnailInput>

const AT = '/vsp/v2/assets/{asset}/thumbnail/'

/** The picture that stands for a video before it plays. */
export const streamThumbnails = feature('stream-thumbnails', {
  get: get(AT, { out: Thumbnail, permission: 'ViewSite', planFeature: 'vsp.enable', errors: [] }),
  set: put(AT, {
    in: z.object({ thumbnail: ThumbnailInput }),
    out: Thumbnail,
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [413, 30027],
    audit: 'stream-thumbnail.set',
    changes: [],
    summary: 'A moment of the video, a picture (JPEG, PNG, WebP), or the automatic one.',
  }),
})
