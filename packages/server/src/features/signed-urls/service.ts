import { LIMITS, type SignedUrls, type SigningKey, type SigningKind, signedUrls } from '@fairway/contract'
import { type Config, streamHost, streamOrigin, type Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { streamSiteKeys } from '../../publish/stream-site.ts'
import { balancersInUse } from '../stream-balancers/store.ts'
import { republishPeers } from '../stream-peers/store.ts'
import {
  type VideosRow,
  accountsOf,
  insertVideosAt,
  isPlaced,
  videosAt,
  wantKeys,
  wantRemoved,
} from './cloudfront-store.ts'
import { inspectUrl } from './inspect.ts'
import { newPair, pemOf, readPublicKey } from './key-pair.ts'
import {
  deleteKey,
  holdKeys,
  insertKey,
  isSigningOn,
  keyById,
  type KeyRow,
  signingKeys,
  sourcesOf,
  switchSigning,
} from './store.ts'

export const signedUrlsSlice = slice(signedUrls, {
  get: ({ tx, actor, services }) => presentAll(tx, services.config, actor.organizationId),

  async set({ tx, actor, services, change }, { on }) {
    const { organizationId } = actor
    await holdKeys(tx, organizationId)
    const wasOn = await isSigningOn(tx, organizationId)
    if (on && !(await signingKeys(tx)).some(isForEdge)) throw new Failure(34002)
    if (on !== wasOn) {
      await switchSigning(tx, organizationId, on)
      await republish(tx, organizationId)
      for (const { id } of await balancersInUse(tx, organizationId))
        await enqueue(tx, organizationId, ['stream-balance'], id)
      await republishPeers(tx, organizationId)
      const label = streamHost(services.config, organizationId)
      change.record({ entity: 'signed-urls', id: organizationId, label, before: { on: wasOn }, after: { on } })
    }
    return presentAll(tx, services.config, organizationId)
  },

  async createKey({ tx, actor, change }, { kind, publicKey }) {
    const { organizationId, label } = actor
    await holdKeys(tx, organizationId)
    const keys = await signingKeys(tx)
    if (keys.length >= LIMITS.signingKeys) throw new Failure(34001)
    const made = publicKey === undefined ? await newPair(kind) : { ...readPublicKey(kind, publicKey), privateKey: null }
    if (keys.some(({ key_id }) => key_id === made.keyId))
      throw new Failure(400, { fields: [{ path: 'publicKey', message: 'validation.signingKeyKnown' }] })
    const row = await insertKey(tx, {
      organizationId,
      kind,
      keyId: made.keyId,
      publicKey: made.publicKey,
      isOwn: made.privateKey === null,
      createdBy: label,
    })
    if (!row) throw new Failure(500)
    await keysChanged(tx, organizationId, kind)
    const { serial, key_id: keyId } = row
    change.record({ entity: 'signing-key', id: row.id, label: keyId, before: null, after: { serial, keyId, kind } })
    return { data: present(row), privateKey: made.privateKey }
  },

  async removeKey({ tx, actor, change }, { id }) {
    const { organizationId } = actor
    await holdKeys(tx, organizationId)
    const row = isUuid(id) ? await keyById(tx, id) : undefined
    if (!row) throw new Failure(404)
    const { serial, key_id: keyId, kind } = row
    const isNeeded = isForEdge(row) ? await isSigningOn(tx, organizationId) : await isPlaced(tx)
    const isLast = (await signingKeys(tx)).every((other) => other.id === id || other.kind !== kind)
    if (isNeeded && isLast) throw new Failure(34002)
    await deleteKey(tx, id)
    await keysChanged(tx, organizationId, kind)
    change.record({ entity: 'signing-key', id, label: keyId, before: { serial, keyId, kind }, after: null })
    return { id }
  },

  async placeCloudfront({ tx, actor, services, change }, { cdnId }) {
    const { organizationId } = actor
    await holdKeys(tx, organizationId)
    const account = (await accountsOf(tx)).find((one) => one.cdnId === cdnId)
    const before = await videosAt(tx)
    if (!account || (before && (before.cdn_id !== cdnId || before.state === 'removing')))
      throw new Failure(400, { fields: [{ path: 'cdnId', message: 'validation.invalid' }] })
    if (!(await signingKeys(tx)).some((key) => !isForEdge(key))) throw new Failure(34002)
    if (!before) {
      await insertVideosAt(tx, organizationId, cdnId)
      await republish(tx, organizationId)
      change.record({ ...recordedAs(organizationId, account.name), before: null, after: { cdnId } })
    }
    return presentAll(tx, services.config, organizationId)
  },

  async removeCloudfront({ tx, actor, services, change }) {
    const { organizationId } = actor
    await holdKeys(tx, organizationId)
    const before = await videosAt(tx)
    if (!before) throw new Failure(404)
    if (before.state !== 'removing') {
      await wantRemoved(tx, organizationId)
      await republish(tx, organizationId)
      change.record({ ...recordedAs(organizationId, before.name), before: { cdnId: before.cdn_id }, after: null })
    }
    return presentAll(tx, services.config, organizationId)
  },

  async inspect({ tx, actor, services, now }, input) {
    return inspectUrl(input, {
      config: services.config,
      organizationId: actor.organizationId,
      keys: await signingKeys(tx),
      cloudfrontHost: (await videosAt(tx))?.host ?? null,
      on: await isSigningOn(tx, actor.organizationId),
      now,
      countryOf: (address) => services.geo.locate(address).country || null,
    })
  },
})

const isForEdge = ({ kind }: Pick<KeyRow, 'kind'>): boolean => kind === 'ecdsa-p256'
const recordedAs = (id: string, label: string) => ({ entity: 'cloudfront-videos', id, label })

async function keysChanged(tx: Tx, organizationId: string, kind: SigningKind): Promise<void> {
  if (kind === 'rsa-2048') await wantKeys(tx, organizationId)
  else await republish(tx, organizationId)
}

/** All hosts that the organisation's videos have are told. */
async function republish(tx: Tx, organizationId: string): Promise<void> {
  for (const key of await streamSiteKeys(tx, organizationId)) await enqueue(tx, organizationId, ['edge-site'], key)
}

async function presentAll(tx: Tx, config: Config, organizationId: string): Promise<SignedUrls> {
  const { count, newest } = await sourcesOf(tx)
  return {
    on: await isSigningOn(tx, organizationId),
    keys: (await signingKeys(tx)).map(present),
    limit: LIMITS.signingKeys,
    origin: streamOrigin(config, organizationId),
    sources: count,
    sample: newest === null ? null : { folder: `/${newest}/`, file: 'master.m3u8' },
    cloudfront: presentVideos(await videosAt(tx)),
    accounts: await accountsOf(tx),
  }
}

const presentVideos = (row: VideosRow | undefined): SignedUrls['cloudfront'] =>
  row ? { cdnId: row.cdn_id, name: row.name, state: row.state, host: row.host, problem: row.problem } : null

const present = (row: KeyRow): SigningKey => ({
  id: row.id,
  kind: row.kind,
  keyPairId: row.key_pair_id,
  serial: row.serial,
  keyId: row.key_id,
  isOwn: row.is_own,
  publicKey: pemOf(row.public_key),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
})
