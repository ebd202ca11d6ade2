import * as ffi from 'ffi'
import { mappedFile, unmap } from './mapped-file.ts'

/** SHA-1 digests of passwords known from breaches: 20 bytes each, in order, one after the other. */
let file = ''
let held: { memory: ffi.Address; bytes: number; mark: string } | undefined
let nextLook = 0
const LOOK_SECONDS = 5
const WIDTH = 20

/** Where the agent keeps the digests, once the operator has imported some; beside it, a mark of which they are. */
export function useLeaked(path: string): void {
  file = path
}

/** Whether a password is known from a breach. Nothing of it is kept or written down. */
export function isLeaked(password: string): boolean {
  const list = digests()
  if (list === undefined) return false
  const wanted = ngx.sha1_bin(password)
  let low = 0
  let high = Math.floor(list.bytes / WIDTH)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const there = ffi.string(ffi.cast('const char*', list.memory) + middle * WIDTH, WIDTH)
    if (there === wanted) return true
    if (there < wanted) low = middle + 1
    else high = middle
  }
  return false
}

/** Looks from time to time whether the operator has imported others since. */
function digests(): typeof held {
  const now = ngx.time()
  if (now < nextLook) return held
  nextLook = now + LOOK_SECONDS
  const mark = markOf()
  if (held !== undefined && held.mark === mark) return held
  if (held !== undefined) unmap(held.memory, held.bytes)
  held = undefined
  if (mark === '') return held
  const found = mappedFile(file)
  if (found !== undefined && found.bytes >= WIDTH) held = { ...found, mark }
  return held
}

function markOf(): string {
  const [opened] = io.open(`${file}.mark`, 'rb')
  if (opened === undefined) return ''
  const text = opened.read('*a') ?? ''
  opened.close()
  return text
}
