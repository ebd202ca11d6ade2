import type { VideoSource } from '@fairway/contract'

/** Small pictures of a film in one file: how many, how many of them in a row, how large, and how far apart in time. */
export type Sprite = { count: number; columns: number; width: number; height: number; everySeconds: number }

const WIDTH = 160
const COLUMNS = 10
const MOST = 100

export function spriteOf({ width, height, seconds }: Pick<VideoSource, 'width' | 'height' | 'seconds'>): Sprite {
  const everySeconds = Math.max(1, Math.ceil(seconds / MOST))
  const count = Math.max(1, Math.min(MOST, Math.floor(seconds / everySeconds)))
  return {
    count,
    columns: Math.min(count, COLUMNS),
    width: WIDTH,
    height: Math.max(2, Math.round((WIDTH * height) / width / 2) * 2),
    everySeconds,
  }
}

/** Where the picture of a time lies in it, in pixels. */
export function tileAt(
  { count, columns, width, height, everySeconds }: Sprite,
  seconds: number,
): { x: number; y: number } {
  const index = Math.min(count - 1, Math.max(0, Math.floor(seconds / everySeconds)))
  return { x: (index % columns) * width, y: Math.floor(index / columns) * height }
}
