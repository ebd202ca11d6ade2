import { execFile } from 'node:child_process'
import net from 'node:net'
import { promisify } from 'node:util'
import { FragmentReader, type Sample, type Track, isKey } from '../fragments.ts'
import { type Amf, readAmf, writeAmf } from '../rtmp/amf0.ts'
import { ChunkReader, writeMessage } from '../rtmp/chunks.ts'
import { AUDIO, VIDEO } from '../rtmp/publisher.ts'

// An encoder that sends as enhanced RTMP wants it. Debian's ffmpeg cannot: it makes the frames, and the rest is here.

export type Tag = { type: number; time: number; body: Buffer }

const ENCODERS = {
  hvc1: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:bframes=2', '-tag:v', 'hvc1'],
  av01: ['-c:v', 'libsvtav1', '-preset', '12'],
  vp09: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
} as const
export type FourCc = keyof typeof ENCODERS
const CONFIGS = { hvc1: 'hvcC', av01: 'av1C', vp09: 'vpcC' } as const
/** AAC-LC, 44.1 kHz, one channel (ISO 14496-3, 1.6.2.1). */
const SOUND_CONFIG = Buffer.from([0x12, 0x08])

/** Bars and a tone of so many seconds, 25 frames in each, as messages in the order of their times. */
export async function enhancedTags(fourCc: FourCc, seconds: number): Promise<Tag[]> {
  const words = `-v error -f lavfi -i smptebars=size=320x180:rate=25:duration=${seconds} -f lavfi -i sine=duration=${seconds}`
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    [
      ...words.split(' '),
      ...ENCODERS[fourCc],
      ...'-g 25 -pix_fmt yuv420p -c:a aac -ac 1 -f mp4 -movflags +empty_moov+default_base_moof+frag_keyframe pipe:1'.split(
        ' ',
      ),
    ],
    { encoding: 'buffer', maxBuffer: 64 << 20, env: { ...process.env, SVT_LOG: '0' } },
  )
  let [config, tracks]: [Buffer, Track[]] = [Buffer.alloc(0), []]
  const samples: Sample[] = []
  const reader = new FragmentReader({
    init: (bytes, found) => {
      tracks = found
      const at = bytes.indexOf(CONFIGS[fourCc], 0, 'latin1')
      config = bytes.subarray(at + 4, at - 4 + bytes.readUInt32BE(at - 4))
    },
    samples: (more) => void samples.push(...more.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) }))),
  })
  reader.push(stdout)
  const tags = samples.map((sample) => {
    const track = tracks.find(({ id }) => id === sample.track)
    const ms = (units: number) => Math.round((units * 1000) / (track?.timescale ?? 1))
    if (track?.isVideo !== true)
      return { type: AUDIO, time: ms(sample.at), body: Buffer.concat([Buffer.from([0xaf, 1]), sample.bytes]) }
    const offset = Buffer.alloc(fourCc === 'hvc1' ? 3 : 0)
    if (fourCc === 'hvc1') offset.writeIntBE(ms(sample.offset), 0, 3)
    return { type: VIDEO, time: ms(sample.at), body: enhanced(fourCc, 1, isKey(sample), offset, sample.bytes) }
  })
  return [
    { type: AUDIO, time: 0, body: Buffer.concat([Buffer.from([0xaf, 0]), SOUND_CONFIG]) },
    { type: VIDEO, time: 0, body: enhanced(fourCc, 0, true, config) },
    ...tags.toSorted((a, b) => a.time - b.time),
  ]
}

/** A message of picture with its extended header (version 1, table 4). */
export const enhanced = (fourCc: string, packet: number, key: boolean, ...data: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x80 | ((key ? 1 : 2) << 4) | packet]), Buffer.from(fourCc, 'latin1'), ...data])

const message = (type: number, time: number, stream: number, body: Buffer): Buffer => {
  const bytes = writeMessage({ type, stream, body })
  bytes.writeUIntBE(time, 1, 3)
  return bytes
}

/** Connects and publishes. `heard` are the commands that were answered. */
export async function connectEncoder(
  { host, port }: { host: string; port: number },
  key: string,
  fourCcList: Amf,
): Promise<{ socket: net.Socket; heard: Amf[][]; send(tags: readonly Tag[]): void }> {
  const socket = net.connect(port, host)
  const reader = new ChunkReader()
  const heard: Amf[][] = []
  let greeting = Buffer.alloc(0)
  let told = () => {}
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => {
    const before = greeting.length
    if (before < 3073) greeting = Buffer.concat([greeting, bytes])
    const rest = before < 3073 ? greeting.subarray(3073) : bytes
    for (const { type, body } of reader.feed(rest)) if (type === 20) heard.push(readAmf(body))
    told()
  })
  const command = (...values: Amf[]) => socket.write(message(20, 0, 0, writeAmf(...values)))
  const until = async (isThere: () => boolean) => {
    while (!isThere()) {
      if (socket.destroyed) throw new Error('the server has hung up')
      await new Promise<void>((resolve) => {
        told = resolve
        socket.once('close', () => resolve())
      })
    }
  }
  socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(3072)]))
  command('connect', 1, { app: 'live', fourCcList })
  command('createStream', 2, null)
  command('publish', 3, null, key, 'live')
  await until(() => heard.some(([name]) => name === 'onStatus'))
  return {
    socket,
    heard,
    send: (tags) => {
      for (const { type, time, body } of tags) socket.write(message(type, time, 1, body))
    },
  }
}
