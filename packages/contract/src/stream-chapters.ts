import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { feature, get, put } from './route.ts'

export const Chapter = z.object({
  /** Seconds of the film, to the millisecond. */
  start: z
    .number()
    .min(0, 'validation.invalid')
    .max(LIMITS.captions.seconds, 'validation.invalid')
    .transform((seconds) => Math.round(seconds * 1000) / 1000),
  title: z
    .string()
    .trim()
    .min(1, 'validation.required')
    .max(120, 'validation.max:120')
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'validation.invalid'),
})
export type Chapter = z.infer<typeof Chapter>

export const Chapters = z.object({
  /** In order of time. */
  data: z.array(z.object({ start: z.number(), title: z.string() })),
  limit: z.int(),
  /** Players find them in the main playlist. False while they are on their way, or there is no playlist yet. */
  isLive: z.boolean(),
  /** At the edge, as JSON and as WebVTT, for players of other makes; null while there are none. */
  jsonUrl: z.string().nullable(),
  vttUrl: z.string().nullable(),
})
export type Chapters = z.infer<typeof Chapters>

const AT = '/vsp/v2/assets/{asset}/chapters/'

/** Chapters of uploaded videos. */
export const streamChapters = feature('stream-chapters', {
  get: get(AT, { out: Chapters, permission: 'ViewSite', planFeature: 'vsp.enable', errors: [] }),
  set: put(AT, {
    in: z.object({ chapters: z.array(Chapter).max(LIMITS.chapters, `validation.atMostEntries:${LIMITS.chapters}`) }),
    out: Chapters,
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [],
    audit: 'stream-chapters.set',
    changes: [],
    summary: 'Puts these chapters in the place of those there are; none takes them away. No two begin at one time.',
  }),
})
