import crypto from 'node:crypto'
import type { Config } from './config.ts'
import { nodeToken } from './secrets.ts'

/** What is watched: a video or a live stream, and whose it is. */
export type ViewSubject = { organizationId: string; kind: 'asset' | 'live'; sourceId: string }

const PATH = /^\/[vp]\/([\w-]{1,64})\/(asset|live)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w-]{22})$/

/**
 * Where players of one video tell what happens. Signed, so the collector needs no list, and nobody makes rows for a
 * video by naming it.
 */
export const viewAddress = (config: Config, subject: ViewSubject): string =>
  `${config.collectorUrl}/v/${subject.organizationId}/${subject.kind}/${subject.sourceId}/${signer(config)(subject)}`

export const isViewPath = (path: string): boolean => path.startsWith('/v/')

const PEERS = 'fairway peers of videos'

/** Where players of one video ask for their peers; signed for the same reasons. */
export const peersAddress = (config: Config, subject: ViewSubject): string =>
  `${config.collectorUrl}/p/${subject.organizationId}/${subject.kind}/${subject.sourceId}/${signer(config, PEERS)(subject)}`

export const isPeersPath = (path: string): boolean => path.startsWith('/p/')

/** Reads a path that was posted to: what it was made for; null when it was not made here. */
export const viewReader = (config: Config): SubjectReader => reader(signer(config), isViewPath)
/** The same of a path that peers were asked for at. */
export const peersReader = (config: Config): SubjectReader => reader(signer(config, PEERS), isPeersPath)

type SubjectReader = (path: string) => ViewSubject | null

function reader(sign: (subject: ViewSubject) => string, isOurs: (path: string) => boolean): SubjectReader {
  return (path) => {
    if (!isOurs(path)) return null
    const [, organizationId, kind, sourceId, mark] = PATH.exec(path) ?? []
    if (!organizationId || !sourceId || !mark || (kind !== 'asset' && kind !== 'live')) return null
    const subject: ViewSubject = { organizationId, kind, sourceId }
    return crypto.timingSafeEqual(Buffer.from(sign(subject)), Buffer.from(mark)) ? subject : null
  }
}

/** Marks of one purpose are of no other. */
function signer(config: Config, purpose = 'fairway views of videos'): (subject: ViewSubject) => string {
  const key = crypto.createHmac('sha256', nodeToken(config)).update(purpose).digest()
  return ({ organizationId, kind, sourceId }) =>
    crypto
      .createHmac('sha256', key)
      .update([organizationId, kind, sourceId].join('\n'))
      .digest()
      .subarray(0, 16)
      .toString('base64url')
}
