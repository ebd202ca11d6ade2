import { type VideosOrder, TryLater, forgetVideos, overridingUrl, placeVideos, removeVideos } from '@fairway/drivers'
import {
  type Config,
  type Database,
  type Log,
  type Tx,
  streamKey,
  streamOrigin,
  streamTlsUntil,
  vendorPath,
} from '@fairway/platform'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { secretsOf } from '../byo-cdn-keys/key-values.ts'
import {
  CLOUDFRONT_CHANNEL,
  VIDEOS_DUE,
  type VideosRow,
  deleteVideosAt,
  foldersToForget,
  noteForgotten,
  noteKeyPairs,
  noteTurn,
  rsaKeysOf,
  takeDueVideos,
} from './cloudfront-store.ts'
import { pemOf } from './key-pair.ts'

const AT_ONCE = 2
/** CloudFront takes minutes to tell all of its places. */
const AGAIN_MS = 15_000
/** What somebody has changed there is put right. */
const LOOK_MS = 10 * 60_000
const LONGEST_MS = 30 * 60_000

/** Brings accounts at CloudFront to what organisations want for their videos, and says how far it is. */
export function startCloudfrontKeeper(config: Config, database: Database, log: Log): RunningLoop {
  return startLeasedWork<VideosRow>(database, log, {
    name: 'keep-cloudfront',
    channel: CLOUDFRONT_CHANNEL,
    atOnce: AT_ONCE,
    due: VIDEOS_DUE,
    take: takeDueVideos,
    async work(row) {
      try {
        await (row.state === 'removing' ? remove(config, database, row) : place(config, database, row))
      } catch (error) {
        const againMs =
          error instanceof TryLater ? error.afterMs : Math.min(LONGEST_MS, AGAIN_MS * 2 ** Math.min(row.attempts, 7))
        const problem = error instanceof Error ? error.message : String(error)
        await database.system((tx) => noteTurn(tx, row, { isLive: false, host: null, problem, againMs }))
      }
    },
  })
}

async function place(config: Config, database: Database, row: VideosRow): Promise<void> {
  const { account, order } = await database.system((tx) => wantedOf(tx, config, row))
  const { host, keyPairIds, isLive } = await placeVideos(account, order)
  const gone = await database.system((tx) => foldersToForget(tx, row.organization_id))
  if (gone) {
    await forgetVideos(account, order, gone.folders, `${order.name} ${gone.until}`)
    await database.system((tx) => noteForgotten(tx, row.organization_id, gone.until))
  }
  await database.system(async (tx) => {
    await noteKeyPairs(tx, row.organization_id, keyPairIds)
    await noteTurn(tx, row, { isLive, host, problem: null, againMs: isLive ? LOOK_MS : AGAIN_MS })
  })
}

async function remove(config: Config, database: Database, row: VideosRow): Promise<void> {
  const { account, order } = await database.system((tx) => wantedOf(tx, config, row))
  const isDone = (await removeVideos(account, order)) === 'done'
  await database.system(async (tx) => {
    if (!isDone) return noteTurn(tx, row, { isLive: false, host: null, problem: null, againMs: AGAIN_MS })
    await deleteVideosAt(tx, row.organization_id)
    await noteKeyPairs(tx, row.organization_id, {})
  })
}

/** Secrets are opened here, for one turn. */
async function wantedOf(tx: Tx, config: Config, { organization_id: organizationId, cdn_id, grant_id }: VideosRow) {
  const [key] = await tx.query<{ id: string; fields: Record<string, string>; sealed: string }>(
    'SELECT k.id, k.fields, k.sealed FROM cdn c JOIN byo_cdn_key k ON k.id = c.byo_key_id WHERE c.organization_id = $1 AND c.id = $2',
    [organizationId, cdn_id],
  )
  if (!key) throw new Error('There is no key for cloudfront any more')
  const origin = new URL(streamOrigin(config, organizationId, (await streamTlsUntil(tx, config)) > Date.now()))
  const isPlain = origin.protocol === 'http:'
  const order: VideosOrder = {
    name: `fairway-videos-${streamKey(organizationId)}`,
    origin: {
      host: origin.hostname,
      port: Number(origin.port) || (isPlain ? 80 : 443),
      protocol: isPlain ? 'http' : 'https',
    },
    originPath: vendorPath(config, organizationId, grant_id),
    keys: (await rsaKeysOf(tx, organizationId)).map(({ key_id, public_key }) => ({
      keyId: key_id,
      pem: pemOf(public_key),
    })),
  }
  const account = {
    values: { ...key.fields, ...secretsOf(config, key) },
    apiUrl: overridingUrl(config.cdnApiUrls, 'cloudfront') ?? null,
  }
  return { account, order }
}
