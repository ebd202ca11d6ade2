import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { del, feature, get, patch, post } from './route.ts'

/**
 * `subtitles`: what is said. `captions`: sounds, too, for who does not hear. `forced`: only what everybody needs, such
 * as signs; players show it without being asked.
 */
export const CaptionKind = z.enum(['subtitles', 'captions', 'forced'])
export type CaptionKind = z.infer<typeof CaptionKind>

/** Why a file of captions is not taken; `line` of it counts from 1. */
export const CaptionFault = z.enum([
  'validation.captionEncoding',
  'validation.captionControl',
  'validation.captionFormat',
  'validation.captionTime',
  'validation.captionOrder',
  'validation.captionArrow',
  'validation.captionLate',
  'validation.captionLong',
  'validation.captionMany',
  'validation.captionNone',
])
export type CaptionFault = z.infer<typeof CaptionFault>

export const Caption = z.object({
  id: z.string(),
  /** BCP 47. */
  language: z.string(),
  /** What players call it; no two of a video are called the same. */
  label: z.string(),
  kind: CaptionKind,
  /** Shown unless the viewer chooses otherwise. */
  isDefault: z.boolean(),
  cues: z.int(),
  /** When the last one ends, in seconds of the film. */
  endsAt: z.number(),
  /** Of the WebVTT that is delivered, in bytes. */
  size: z.int(),
  /** Players find it in the main playlist. False while it is on its way, or there is no playlist yet. */
  isLive: z.boolean(),
  /** The file at the edge, for players that take no playlist; null until it is there. */
  url: z.string().nullable(),
  createdBy: z.string(),
  changedAt: z.iso.datetime(),
})
export type Caption = z.infer<typeof Caption>

export const CaptionLanguage = z
  .string()
  .trim()
  .max(35, 'validation.max:35')
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,6}$/, 'validation.language')
  .refine(isLanguage, 'validation.language')

export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

const Label = z
  .string()
  .trim()
  .min(1, 'validation.required')
  .max(80, 'validation.max:80')
  .regex(/^[^"\p{Cc}\p{Zl}\p{Zp}]*$/u, 'validation.invalid')
/** The file as it is, in base64: its encoding is looked at, too. How large it may be is said by 30022. */
const File = z
  .base64('validation.invalid')
  .min(1, 'validation.required')
  .max(2 * Math.ceil(LIMITS.captions.bytes / 3) * 4)

export const CaptionInput = z.object({
  language: CaptionLanguage,
  label: Label,
  kind: CaptionKind.default('subtitles'),
  isDefault: z.boolean().default(false),
  file: File,
})

const AT = '/vsp/v2/assets/{asset}/captions'
const READ = { permission: 'ViewSite', planFeature: 'vsp.enable', errors: [] } as const
const EDIT = { permission: 'EditSite', planFeature: 'vsp.enable', changes: [] } as const

/** Captions of uploaded videos: added, changed and taken away without anything being encoded anew. */
export const streamCaptions = feature('stream-captions', {
  list: get(`${AT}/`, { out: z.object({ data: z.array(Caption), limit: z.int() }), ...READ }),
  file: get(`${AT}/{id}/file/`, { out: z.string(), media: 'text', ...READ, summary: 'The captions as WebVTT.' }),
  create: post(`${AT}/`, {
    in: CaptionInput,
    out: Caption,
    ...EDIT,
    errors: [30020, 30021, 30022, 30023],
    audit: 'stream-caption.create',
    summary: 'Takes captions as WebVTT or SubRip (SRT), in UTF-8, and adds them to the playlist of the video.',
  }),
  update: patch(`${AT}/{id}/`, {
    in: CaptionInput.extend({ kind: CaptionKind, isDefault: z.boolean() }).partial(),
    out: Caption,
    ...EDIT,
    errors: [30020, 30021, 30022],
    audit: 'stream-caption.update',
    summary: 'Changes what is given; another file takes the place of the one before, which is purged.',
  }),
  remove: del(`${AT}/{id}/`, {
    out: z.object({ id: z.string() }),
    ...EDIT,
    errors: [],
    audit: 'stream-caption.remove',
    summary: 'Takes captions out of the playlist, and purges them.',
  }),
})
