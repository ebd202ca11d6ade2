import crypto from 'node:crypto'
import path from 'node:path'
import type { Config } from './config.ts'

/** Names an organisation in addresses of its videos without telling its id. */
export const streamKey = (organizationId: string): string =>
  crypto.createHash('sha256').update(`stream ${organizationId}`).digest('hex').slice(0, 16)

/**
 * Host under which the edge serves an organisation's videos. Where the edge is this machine's own business, a name
 * that every browser knows to be this machine (RFC 6761 6.3); else one below the service domain, which our DNS answers.
 */
export function streamHost(config: Pick<Config, 'edgeHttp' | 'serviceDomain'>, organizationId: string): string {
  const zone = config.edgeHttp.host.startsWith('127.') ? 'stream.localhost' : `stream.edge.${config.serviceDomain}`
  return `${streamKey(organizationId)}.${zone}`
}

export function streamOrigin(config: Pick<Config, 'edgeHttp' | 'serviceDomain'>, organizationId: string): string {
  const { port } = config.edgeHttp
  return `http://${streamHost(config, organizationId)}${port === 80 ? '' : `:${port}`}`
}

/** Folders of videos: files as they were sent, and what was made of them. */
export const mediaFolders = ({ home }: Pick<Config, 'home'>): { uploads: string; assets: string } => ({
  uploads: path.join(home, 'media', 'uploads'),
  assets: path.join(home, 'media', 'assets'),
})
