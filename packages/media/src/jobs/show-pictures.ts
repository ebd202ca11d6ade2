import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Tx } from '@fairway/platform'
import { partOf, thumbnailFolder } from './part-of.ts'
import { type HeldAsset, type JobRow, shownThumbnail } from './store.ts'

export const POSTER = 'poster.jpg'
const SPRITE = ['sprite.jpg', 'sprite.vtt']

/** Beside the playlist, by names that never change, stands what is right now; what it is taken from never changes. */
export async function showPictures(tx: Tx, { id }: HeldAsset, jobs: readonly JobRow[], home: string): Promise<void> {
  const job = jobs.find(({ kind, state }) => (kind === 'pictures' || kind === 'recording') && state === 'done')
  const own = await shownThumbnail(tx, id)
  if (job) for (const name of SPRITE) show(path.join(home, partOf(job), name), path.join(home, name))
  const from = own === null ? job && partOf(job) : thumbnailFolder(own)
  if (from) show(path.join(home, from, POSTER), path.join(home, POSTER))
}

function show(file: string, as: string): void {
  const found = fs.statSync(file, { throwIfNoEntry: false })
  if (!found || fs.statSync(as, { throwIfNoEntry: false })?.ino === found.ino) return
  const draft = `${as}.${crypto.randomUUID()}`
  fs.linkSync(file, draft)
  fs.renameSync(draft, as)
}
