import { isTooLarge } from '@fairway/contract'
import { useSyncExternalStore } from 'react'
import type { Upload } from 'tus-js-client'
import { ApiError } from '../../api/api-error.ts'
import type { Sending } from './send-file.ts'

/** A file that this window sends, or could not. */
export type UploadRow = Sending & {
  key: string
  /** What it is of: new videos, or the id of the video that it replaces. */
  of: string
  name: string
  size: number
  file: File
  /** Null until the API has said where to. */
  uploadUrl: string | null
}
/** Tells the API of a file and answers where its bytes go. */
type Announce = (name: string) => Promise<{ uploadUrl: string }>
type How = { of: string; announce: Announce; onMoved: () => void }

export const NEW_VIDEOS = 'videos'
const isMoving = ({ state }: Sending): boolean => state === 'waiting' || state === 'going' || state === 'retrying'

/**
 * What this window sends. It outlives drawers and screens, so that people can go on working; only leaving the page
 * would stop it, and asks.
 */
class Uploads {
  #rows: ReadonlyMap<string, UploadRow> = new Map()
  readonly #running = new Map<string, { upload: Upload; isHeld: boolean }>()
  readonly #ways = new Map<string, How>()
  readonly #listeners = new Set<() => void>()
  #counter = 0

  readonly rows = (): ReadonlyMap<string, UploadRow> => this.#rows
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Announces a file and sends it. */
  begin(file: File, how: How): void {
    const key = this.#add(file, how.of, null)
    this.#ways.set(key, how)
    if (isTooLarge(file.size)) this.#note(key, { state: 'failed', code: 30009 })
    else void this.#announce(key, file.name)
  }

  /** The same under another name, after one that was taken. */
  rename(key: string, name: string): void {
    this.#note(key, { name, state: 'waiting', code: null })
    void this.#announce(key, name)
  }

  /** Sends the rest of a file that was announced before; how much that is, the server says. */
  goOn(file: File, { of, uploadUrl, onMoved }: { of: string; uploadUrl: string; onMoved: () => void }): void {
    for (const row of this.#rows.values()) if (row.uploadUrl === uploadUrl) this.forget(row.key)
    const key = this.#add(file, of, uploadUrl)
    // Without the program that sends it can be begun anew.
    this.#send(key, file, uploadUrl, onMoved).catch(() => this.forget(key))
  }

  pause(key: string): void {
    const running = this.#running.get(key)
    if (!running) return
    running.isHeld = true
    void running.upload.abort()
    this.#note(key, { state: 'paused', code: null })
  }

  resume(key: string): void {
    const running = this.#running.get(key)
    if (!running) return
    running.isHeld = false
    this.#note(key, { state: 'going', code: null })
    running.upload.start()
  }

  forget(key: string): void {
    void this.#running.get(key)?.upload.abort()
    this.#running.delete(key)
    this.#ways.delete(key)
    const rest = new Map(this.#rows)
    rest.delete(key)
    this.#set(rest)
  }

  /** Takes what is over out of a list that was closed. */
  tidy(of: string): void {
    for (const row of this.#rows.values()) if (row.of === of && row.state === 'done') this.forget(row.key)
  }

  #add(file: File, of: string, uploadUrl: string | null): string {
    const key = String(this.#counter++)
    const { name, size } = file
    this.#set(
      new Map(this.#rows).set(key, { key, of, name, size, file, uploadUrl, loaded: 0, state: 'waiting', code: null }),
    )
    return key
  }

  async #announce(key: string, name: string): Promise<void> {
    const [row, how] = [this.#rows.get(key), this.#ways.get(key)]
    if (!row || !how) return
    try {
      const { uploadUrl } = await how.announce(name)
      how.onMoved()
      // Who took the row away meanwhile does not want it sent.
      if (this.#rows.has(key)) await this.#send(key, row.file, uploadUrl, how.onMoved)
    } catch (error) {
      this.#note(key, { state: 'failed', code: error instanceof ApiError ? error.code : null })
    }
  }

  async #send(key: string, file: File, uploadUrl: string, onMoved: () => void): Promise<void> {
    this.#note(key, { uploadUrl })
    const { sendFile } = await import('./send-file.ts')
    if (!this.#rows.has(key)) return
    const upload = sendFile(file, uploadUrl, {
      note: (row) => {
        // What comes in after a pause is of before it.
        if (this.#running.get(key)?.isHeld === false) this.#note(key, row)
      },
      onDone: () => {
        this.#running.delete(key)
        onMoved()
      },
    })
    this.#running.set(key, { upload, isHeld: false })
    this.#note(key, { state: 'going', uploadUrl })
    upload.start()
  }

  #note(key: string, change: Partial<UploadRow>): void {
    const row = this.#rows.get(key)
    if (row) this.#set(new Map(this.#rows).set(key, { ...row, ...change }))
  }

  #set(rows: ReadonlyMap<string, UploadRow>): void {
    this.#rows = rows
    const isBusy = [...rows.values()].some(isMoving)
    const change = isBusy ? 'addEventListener' : 'removeEventListener'
    window[change]('beforeunload', askToStay)
    window[change]('online', this.#tryNow)
    for (const listener of this.#listeners) listener()
  }

  /** Nobody waits for the next attempt when the line is back. */
  readonly #tryNow = (): void => {
    for (const { key, state } of this.#rows.values()) {
      const running = this.#running.get(key)
      if (state === 'retrying' && running)
        void running.upload.abort().then(() => !running.isHeld && running.upload.start())
    }
  }
}

const askToStay = (event: Event): void => event.preventDefault()

export const uploads = new Uploads()

/** What this window sends of one kind, oldest first. */
export function useUploads(of: string): UploadRow[] {
  const rows = useSyncExternalStore(uploads.subscribe, uploads.rows)
  return [...rows.values()].filter((row) => row.of === of)
}

/** Whether this window sends it just now. */
export function useIsSending(uploadUrl: string | null): boolean {
  const rows = useSyncExternalStore(uploads.subscribe, uploads.rows)
  return [...rows.values()].some((row) => row.uploadUrl === uploadUrl && row.state !== 'failed')
}
