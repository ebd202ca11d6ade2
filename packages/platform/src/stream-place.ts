import crypto from 'node:crypto'
import { foldersOf, macTextOf, pathTokenText } from '@fairway/domain'
import path from 'node:path'
import type { Config } from './config.ts'
import { nodeSecret, sealForNodes, unsealForNodes } from './node-sealing.ts'
import { isEdgeLocal } from './own-addresses.ts'

/** Names an organisation in addresses of its videos without telling its id. */
export const streamKey = (organizationId: string): string =>
  crypto.createHash('sha256').update(`stream ${organizationId}`).digest('hex').slice(0, 16)

type Where = Pick<Config, 'edgeHttp' | 'edgeAddresses' | 'edgeHttps' | 'serviceDomain' | 'streamAcme'>

const LOCAL_ZONE = 'stream.localhost'

/**
 * Videos have a host for each organisation. Where the edge is this machine's own business, below a name that every
 * browser knows to be this machine (RFC 6761 6.3); else, or where an authority is named that signs for those names,
 * below the service domain, which our DNS answers.
 */
export const streamZone = (config: Where): string =>
  isEdgeLocal(config) && (config.streamAcme === '' || config.streamAcme === 'off')
    ? LOCAL_ZONE
    : `stream.edge.${config.serviceDomain}`

/** Names of the certificate that all hosts of videos are served with; none where no authority can know them. */
export function streamCertificateNames(config: Where, simulatedSlugs: readonly string[]): string[] {
  const zone = streamZone(config)
  if (zone === LOCAL_ZONE) return []
  return [`*.${zone}`, ...simulatedSlugs.map((slug) => `*.${slug}.cdn.${config.serviceDomain}`)]
}

const tlsUntil = new WeakMap<Where, number>()

/** What `streamOrigin` goes by in this process: until when the edge answers for these hosts by TLS, epoch ms. */
export const noteStreamTls = (config: Where, until: number): void => void tlsUntil.set(config, until)

const portOf = ({ edgeHttp, edgeHttps }: Where, isTls: boolean): string =>
  isTls ? (edgeHttps.port === 443 ? '' : `:${edgeHttps.port}`) : edgeHttp.port === 80 ? '' : `:${edgeHttp.port}`

/** Host under which the edge serves an organisation's videos. */
export const streamHost = (config: Where, organizationId: string): string =>
  `${streamKey(organizationId)}.${streamZone(config)}`

/**
 * The same at a CDN of the house, so that each has a host of its own. A simulated CDN answers below its own name, where
 * DNS sends viewers to it.
 */
export function streamCdnHost(config: Where, organizationId: string, simulatedSlug: string | null): string {
  if (simulatedSlug === null) return streamHost(config, organizationId)
  const zone = streamZone(config)
  const below = zone === LOCAL_ZONE ? `${simulatedSlug}.${zone}` : `${simulatedSlug}.cdn.${config.serviceDomain}`
  return `${streamKey(organizationId)}.${below}`
}

/** Whether a host is one of those above: nobody else may name them. */
export const isStreamHost = (config: Where, host: string): boolean =>
  [LOCAL_ZONE, config.serviceDomain].some((zone) => host === zone || host.endsWith(`.${zone}`))

const schemeOf = (isTls: boolean): string => (isTls ? 'https' : 'http')

/** With a colon in front; empty at the usual one. */
export const streamPort = (config: Where): string => portOf(config, false)

/** Where an organisation's videos are; `isTls` once the edge shows a certificate for the host. */
export const streamOrigin = (
  config: Where,
  organizationId: string,
  isTls = (tlsUntil.get(config) ?? 0) > Date.now(),
): string => `${schemeOf(isTls)}://${streamHost(config, organizationId)}${portOf(config, isTls)}`

/** The same at a CDN of the house by TLS; null while the edge shows no certificate for its host. */
export const streamCdnTlsOrigin = (
  config: Where,
  organizationId: string,
  simulatedSlug: string | null,
  isTls = (tlsUntil.get(config) ?? 0) > Date.now(),
): string | null =>
  isTls ? `https://${streamCdnHost(config, organizationId, simulatedSlug)}${portOf(config, true)}` : null

/** All of these hosts, as a content security policy names them: TLS may come, or end, while a page is open. */
export const streamSources = (config: Where): string =>
  [false, true].map((isTls) => `${schemeOf(isTls)}://*.${streamZone(config)}${portOf(config, isTls)}`).join(' ')

/** Folders of videos: files as they were sent, and what was made of them. */
export const mediaFolders = ({ home }: Pick<Config, 'home'>): { uploads: string; assets: string } => ({
  uploads: path.join(home, 'media', 'uploads'),
  assets: path.join(home, 'media', 'assets'),
})

/** What is kept of a live stream's key, and looked for when an encoder shows one. */
export const streamKeyHash = (key: string): string => crypto.createHash('sha256').update(key).digest('hex')

/** Where encoders send to; the name of a stream there is its key. */
export const rtmpUrl = ({ rtmpListen, rtmpUrl: outside }: Pick<Config, 'rtmpListen' | 'rtmpUrl'>): string =>
  `${outside || `rtmp://${rtmpListen.host}:${rtmpListen.port}`}/live`

/** What the API shows to the role `media` where it passes on what came to it: visitors of edges do not have it. */
export const whipSecret = (config: Config): string => nodeSecret(config, 'whip', 32).toString('base64url')

const PUBLISH_TOKEN = 'whip publish'

/** Lets whoever has it begin to send to one stream in place of its key, until then or until that is another one. */
export const publishToken = (config: Config, of: { id: string; keyHash: string; until: number }): string =>
  sealForNodes(config, PUBLISH_TOKEN, `${of.id} ${of.keyHash} ${of.until}`)

/** The stream of such a token, and the key it stands for; null for one that is none, or is over. */
export function readPublishToken(config: Config, token: string, now: number): { id: string; keyHash: string } | null {
  try {
    const [id = '', keyHash = '', until = ''] = unsealForNodes(config, PUBLISH_TOKEN, token).split(' ')
    return Number(until) > now ? { id, keyHash } : null
  } catch {
    return null
  }
}

/** MAC of a path token as every edge node makes it, with what clearances are signed with too. */
export const pathTokenMac = (config: Config, text: string): string =>
  crypto
    .createHmac('sha1', nodeSecret(config, 'clearance', 32).toString('base64url'))
    .update(text)
    .digest('hex')

const PREVIEW_MS = 6 * 3_600_000

/** What the console's own player sets before paths of a folder. The same for hours, so that nothing begins anew. */
export function previewPath(config: Config, organizationId: string, folder: string, now: Date): string {
  const until = ((Math.floor(now.getTime() / PREVIEW_MS) + 2) * PREVIEW_MS) / 1000
  const token = { folders: foldersOf(folder), until, keyId: '', isNear: false }
  const mac = pathTokenMac(config, macTextOf(token, streamHost(config, organizationId), folder, ''))
  return `/t/${pathTokenText({ ...token, mac })}`
}

/** Of the end of 2099: a grant is taken back by taking away what it is of. */
const LASTING = 4_102_444_799

/** What lets a vendor's CDN in to all of an organisation's videos, set before every path that it asks for. */
export function vendorPath(config: Config, organizationId: string, grantId: string): string {
  const token = { folders: 0, until: LASTING, keyId: grantId, isNear: false }
  const mac = pathTokenMac(config, macTextOf(token, streamHost(config, organizationId), '/', ''))
  return `/t/${pathTokenText({ ...token, mac })}`
}
