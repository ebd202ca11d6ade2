import { VIDEO_ENDINGS } from '@fairway/contract'
import { Upload } from 'tus-js-client'

export type UploadRow = {
  name: string
  size: number
  loaded: number
  state: 'waiting' | 'going' | 'paused' | 'done' | 'failed'
  code: number | null
}

/** A piece arrives within half a minute on a line of 1 Mbit/s; what a cut line has brought over is kept. */
const PIECE_BYTES = 4 * 2 ** 20
const AGAIN_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000]
export const ACCEPT = VIDEO_ENDINGS.map((ending) => `.${ending}`).join()

/** Sends a file to where the API said, resumably, and tells how far it is. It begins when it is started. */
export const sendFile = (
  file: File,
  uploadUrl: string,
  { note, onDone }: { note: (row: Partial<UploadRow>) => void; onDone: () => void },
): Upload =>
  new Upload(file, {
    uploadUrl: new URL(uploadUrl, location.href).href,
    headers: { 'x-fairway-client': 'console' },
    chunkSize: PIECE_BYTES,
    retryDelays: AGAIN_MS,
    storeFingerprintForResuming: false,
    onProgress: (loaded) => note({ loaded }),
    onSuccess: () => {
      note({ state: 'done', loaded: file.size })
      onDone()
    },
    onError: () => note({ state: 'failed', code: null }),
  })
