import zlib from 'node:zlib'
import { afterUndoing, type Coding, codingsOf, type Opened, type Undone } from '@fairway/domain'

/** The same steps as nginx's Lua takes, so that both find the same growth. */
const STEP = 65_536
const ZSTD_WINDOW_LOG = 23

/** A body as its origin reads it: what `Content-Encoding` says is undone, `most` bytes at most. Texts are bytes. */
export async function openContent(said: string[], body: Buffer, most: number): Promise<Opened> {
  const codings = codingsOf(said)
  if (typeof codings === 'string') return { text: '', cut: false, problem: codings }
  let now: Opened = { text: body.toString('latin1'), cut: false, problem: '' }
  for (const coding of codings.toReversed()) {
    if (now.problem !== '') break
    now = afterUndoing(await undo(coding, Buffer.from(now.text, 'latin1'), most), now.cut, most, body.length)
  }
  return now
}

async function undo(coding: Coding, bytes: Buffer, most: number): Promise<Undone> {
  if (coding !== 'deflate') return read(streamOf(coding), bytes, most)
  const said = await read(zlib.createInflate({ chunkSize: STEP }), bytes, most)
  return said.end === 'broken' && said.text === ''
    ? read(zlib.createInflateRaw({ chunkSize: STEP }), bytes, most)
    : said
}

function streamOf(coding: Exclude<Coding, 'deflate'>) {
  if (coding === 'gzip') return zlib.createGunzip({ chunkSize: STEP })
  if (coding === 'br') return zlib.createBrotliDecompress({ chunkSize: STEP })
  return zlib.createZstdDecompress({
    chunkSize: STEP,
    params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
  })
}

function read(stream: ReturnType<typeof streamOf> | zlib.Inflate, bytes: Buffer, most: number): Promise<Undone> {
  const parts: Buffer[] = []
  let made = 0
  return new Promise((resolve) => {
    const finish = (end: Undone['end']) => {
      const used = stream.bytesWritten
      stream.removeAllListeners()
      stream.on('error', () => {})
      stream.destroy()
      resolve({ text: Buffer.concat(parts).toString('latin1'), used, end })
    }
    stream.on('data', (part: Buffer) => {
      parts.push(part)
      made += part.length
      if (made > most) finish('full')
    })
    stream.on('error', (error: NodeJS.ErrnoException) => finish(error.code === 'Z_BUF_ERROR' ? 'unfinished' : 'broken'))
    stream.on('end', () => finish(stream.bytesWritten < bytes.length ? 'broken' : 'whole'))
    stream.end(bytes)
  })
}
