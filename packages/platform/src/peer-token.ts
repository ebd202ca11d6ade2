import crypto from 'node:crypto'
import type { Config } from './config.ts'
import { nodeToken } from './secrets.ts'

/** Lets one session into the room of one video or live stream, for a minute. */
export type PeerToken = { sourceId: string; session: string; until: number }

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{24})\.(\d{10})\.([\w-]{22})$/

/** Makes tokens, and reads them again: what one was made for, null when it was not made here or is over. */
export function peerTokens(config: Config): {
  make: (token: PeerToken) => string
  read: (text: string, nowSeconds: number) => PeerToken | null
} {
  const key = crypto.createHmac('sha256', nodeToken(config)).update('fairway rooms of peers').digest()
  const mark = ({ sourceId, session, until }: PeerToken) =>
    crypto
      .createHmac('sha256', key)
      .update([sourceId, session, until].join('\n'))
      .digest()
      .subarray(0, 16)
      .toString('base64url')
  return {
    make: (token) => `${token.sourceId}.${token.session}.${token.until}.${mark(token)}`,
    read(text, nowSeconds) {
      const [, sourceId, session, until, sent] = TOKEN.exec(text) ?? []
      if (!sourceId || !session || !sent) return null
      const token = { sourceId, session, until: Number(until) }
      const isOurs = crypto.timingSafeEqual(Buffer.from(mark(token)), Buffer.from(sent))
      return isOurs && token.until >= nowSeconds ? token : null
    },
  }
}
