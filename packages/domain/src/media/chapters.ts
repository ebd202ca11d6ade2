import type { Chapter } from '@fairway/contract'
import { clock, escapedText } from './captions/write.ts'

/** In order of time. */
export const inOrder = (chapters: readonly Chapter[]): Chapter[] =>
  chapters.toSorted((one, other) => one.start - other.start)

/** Index of a chapter that cannot be: it begins when another does, or after the film has ended. Null: all can. */
export function oddChapter(
  chapters: readonly Chapter[],
  seconds: number | null,
): { index: number; why: 'validation.chapterTwice' | 'validation.chapterLate' } | null {
  const known = new Set<number>()
  for (const [index, { start }] of chapters.entries()) {
    if (known.has(start)) return { index, why: 'validation.chapterTwice' }
    if (seconds !== null && start >= seconds) return { index, why: 'validation.chapterLate' }
    known.add(start)
  }
  return null
}

/** As Apple's players read them from `com.apple.hls.chapters`. */
export const chaptersJson = (chapters: readonly Chapter[]): string =>
  JSON.stringify(
    chapters.map(({ start, title }, index) => ({
      chapter: index + 1,
      'start-time': start,
      titles: [{ language: 'und', title }],
    })),
  )

/** As a track of kind `chapters`: each ends where the next begins. */
export const chaptersVtt = (chapters: readonly Chapter[], seconds: number): string =>
  `WEBVTT\n${chapters
    .map(({ start, title }, index) => {
      const end = chapters[index + 1]?.start ?? Math.max(seconds, start + 0.001)
      return `\n${clock(Math.round(start * 1000))} --> ${clock(Math.round(end * 1000))}\n${escapedText(title)}\n`
    })
    .join('')}`
