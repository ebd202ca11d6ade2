import type { EdgeDelivery } from '@fairway/contract'
import { TryLater, VendorRefusal, type VendorWants } from '../driver.ts'
import { cloudfrontClient, type CloudfrontClient, type Distribution } from './cloudfront-client.ts'
import { counted, distributionConfig } from './distribution-config.ts'
import { placeDistribution } from './place-distribution.ts'

/** A distribution for an organisation's videos, which gives them only to who has signed with one of the keys. */
export type VideosOrder = {
  /** Ours for all that is made there: letters, digits and hyphens. */
  name: string
  /** What CloudFront fetches from. */
  origin: { host: string; port: number; protocol: 'http' | 'https' }
  /** Before every path at the origin: what lets CloudFront in there. */
  originPath: string
  /** RSA with 2048 bits; at least one, for without any it would be open. */
  keys: readonly { keyId: string; pem: string }[]
}

export type PlacedVideos = {
  host: string
  /** What CloudFront calls each key in a signed address (`Key-Pair-Id`), by our id. */
  keyPairIds: Record<string, string>
  /** Every place of CloudFront has it so. */
  isLive: boolean
}

type Account = Pick<VendorWants, 'values' | 'apiUrl'>

/**
 * Brings an account from whatever there is to what is wanted; it may be stopped after any call. Keys go into the group
 * before those that are gone leave it, so that one may be changed for another while videos play.
 */
export async function placeVideos(account: Account, order: VideosOrder): Promise<PlacedVideos> {
  if (order.keys.length === 0) throw new Error('Without a key the videos would be open')
  const client = clientOf(account)
  const { name } = order
  const known = await ownKeys(client, name)
  const keyPairIds: Record<string, string> = {}
  for (const { keyId, pem } of order.keys)
    keyPairIds[keyId] =
      known.find((one) => one.name === keyName(name, keyId))?.id ??
      (await client.createPublicKey(keyName(name, keyId), pem))
  const wanted = Object.values(keyPairIds).toSorted()
  const group = await client.keyGroup(name)
  if (group !== null && group.keys.toSorted().join() !== wanted.join()) await client.updateKeyGroup(group, name, wanted)
  const keyGroup = group?.id ?? (await client.createKeyGroup(name, wanted))

  const settings = { ...settingsOf(order), enabled: true, videos: { originPath: order.originPath, keyGroup } }
  const now = await placeDistribution(client, name, settings, await find(client, name))

  for (const { id } of known) if (!wanted.includes(id)) await unlessInUse(client.dropPublicKey(id))
  return { host: now.domainName, keyPairIds, isLive: now.status === 'Deployed' }
}

/** It takes 15 addresses with a star at a time, of all that are under way. */
const MOST_STARS = 10

/** What is kept of folders is asked for anew. The same reference is the same invalidation. */
export async function forgetVideos(
  account: Account,
  { name }: VideosOrder,
  folders: readonly string[],
  reference: string,
): Promise<void> {
  const client = clientOf(account)
  const found = await find(client, name)
  if (found === null || folders.length === 0) return
  const paths = folders.length > MOST_STARS ? ['/*'] : folders.map((folder) => `/${folder}/*`)
  await client.invalidate(found.id, { Paths: counted(paths), CallerReference: reference })
}

/** Takes away all that was made; `in-progress` until nothing is left. */
export async function removeVideos(account: Account, order: VideosOrder): Promise<'done' | 'in-progress'> {
  const client = clientOf(account)
  const { name } = order
  const found = await find(client, name)
  if (found?.enabled === true) {
    // Its keys stay until the last place has switched it off: without them it would be open.
    const group = await client.keyGroup(name)
    const videos = group === null ? {} : { videos: { originPath: order.originPath, keyGroup: group.id } }
    const comment = `${name} off`
    const off = distributionConfig({ ...settingsOf(order), ...videos, enabled: false, comment })
    await client.update(found.id, found.etag, off)
    return 'in-progress'
  }
  if (found !== null) {
    if (found.status !== 'Deployed') return 'in-progress'
    await client.drop(found.id, found.etag)
  }
  const group = await client.keyGroup(name)
  if (group !== null) await client.dropKeyGroup(group)
  for (const { id } of await ownKeys(client, name)) await client.dropPublicKey(id)
  return 'done'
}

const clientOf = (account: Account): CloudfrontClient =>
  cloudfrontClient({ ...account, certificate: null, delivery: deliveryOf({ host: '', port: 443, protocol: 'https' }) })

const settingsOf = ({ name, origin }: VideosOrder) => ({
  name,
  host: '',
  certificateArn: null,
  delivery: deliveryOf(origin),
})

const deliveryOf = ({ host, port, protocol }: VideosOrder['origin']): EdgeDelivery => ({
  origin: {
    addresses: [host],
    balance: 'failover',
    fallbackAddress: null,
    port,
    protocol,
    hostHeader: host,
    keepaliveSeconds: 60,
    verifyCertificate: false,
  },
  cache: {
    enabled: true,
    // The origin says of every file how long it holds.
    defaultTtlSeconds: 0,
    honorOrigin: true,
    everything: true,
    ignoreQuery: false,
    tiered: false,
    rules: [],
    bypass: [],
  },
  compression: 'off',
  alwaysHttps: false,
  hsts: '',
  websocket: false,
  http2: true,
  http3: false,
  earlyHints: false,
  ocspStapling: false,
  reportsTo: '',
})

const keyName = (name: string, keyId: string): string => `${name}-${keyId}`

const ownKeys = async (client: CloudfrontClient, name: string): Promise<{ id: string; name: string }[]> =>
  (await client.publicKeys()).filter((one) => one.name.startsWith(`${name}-`))

async function find(client: CloudfrontClient, name: string): Promise<Distribution | null> {
  const listed = (await client.list()).find(({ comment }) => comment.startsWith(`${name} `))
  return listed ? client.get(listed.id) : null
}

/** Places that have the settings before still name it: it goes the next time. */
async function unlessInUse(dropped: Promise<void>): Promise<void> {
  try {
    await dropped
  } catch (error) {
    if (!(error instanceof VendorRefusal) && !(error instanceof TryLater)) throw error
  }
}
