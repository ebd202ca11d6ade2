import { LIMITS, type LiveStream, type LiveStreamChange, liveStreams } from '@fairway/contract'
import { adviseInput, isIpv4, isIpv6, mayReshape, maySwitch, transcoderStatus } from '@fairway/domain'
import {
  type Config,
  type OutgoingGate,
  type Tx,
  isWebrtcOffered,
  mint,
  previewPath,
  publishToken,
  rtmpUrl,
  streamKeyHash,
  streamOrigin,
  targetOf,
} from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { streamSiteKey } from '../../publish/stream-site.ts'
import { isSigningOn } from '../signed-urls/store.ts'
import { canEncode } from '../stream-assets/store.ts'
import { lockSources, takeSource } from '../stream-assets/take-source.ts'
import { removeLive } from './remove-live.ts'
import {
  type LiveRow,
  insertLive,
  isLiveNameTaken,
  keyHashOf,
  listLive,
  recordingsOf,
  liveById,
  replaceKey,
  setTest,
  switchLive,
  switchRecording,
  updateLive,
} from './store.ts'

/** A browser begins at once. */
const PUBLISH_MS = 60_000

const ORDER = { created_at: 'l.created_at', name: 'lower(l.name)' }

export const liveStreamsSlice = slice(liveStreams, {
  async list({ tx, actor, services, now }, query) {
    const page = pageOf(query)
    const { rows, total } = await listLive(tx, {
      search: query.search,
      order: orderBy(query.ordering, ORDER),
      ...page,
    })
    const isSigned = await isSigningOn(tx, actor.organizationId)
    return {
      data: rows.map((row) => present(services.config, row, isSigned, now)),
      meta: page.meta(total),
      limit: LIMITS.streamSources,
      canEncode: await canEncode(tx),
    }
  },

  async get(context, { id }) {
    return shown(context, id)
  },

  async create(context, input) {
    const { tx, actor, change, services } = context
    if (input.originUrl !== null) refuseInner(services.gate, input.originUrl)
    await takeSource(tx, actor.organizationId)
    if (await isLiveNameTaken(tx, input.name))
      throw new Failure(30014, { fields: [{ path: 'name', message: 'code:30014' }] })
    if (!(await canEncode(tx))) throw new Failure(920901)
    const { organizationId } = actor
    const key = input.protocol === 'rtmp' ? mint('streamKey').text : null
    const keyHash = key === null ? null : streamKeyHash(key)
    const id = await insertLive(tx, { ...input, organizationId, createdBy: actor.label, keyHash })
    await enqueue(tx, organizationId, ['edge-site'], streamSiteKey(organizationId))
    const after = { ...input, originUrl: withoutQuery(input.originUrl) }
    change.record({ entity: 'live-stream', id, label: input.name, before: null, after })
    return { data: await shown(context, id), key }
  },

  async update(context, { id, ...wanted }) {
    const { tx, actor, change, services } = context
    // A name that is free stays so until it is taken.
    await lockSources(tx, actor.organizationId)
    const row = await found(tx, id, { hold: true })
    const after = changed(row, wanted, services.gate)
    if (after.name.toLowerCase() !== row.name.toLowerCase() && (await isLiveNameTaken(tx, after.name)))
      throw new Failure(30014, { fields: [{ path: 'name', message: 'code:30014' }] })
    const isReshaped =
      after.latency !== row.latency ||
      after.key_frame_seconds !== row.key_frame_seconds ||
      after.origin_url !== row.origin_url
    if (isReshaped && !mayReshape(statusOf(row))) throw new Failure(30028)
    if (isReshaped || after.name !== row.name || after.rewind_seconds !== row.rewind_seconds) {
      await updateLive(tx, id, after)
      const isOtherToken = after.origin_url !== row.origin_url
      change.record({
        entity: 'live-stream',
        id,
        label: row.name,
        before: { ...told(row), ...(isOtherToken ? { origin: 'old' } : {}) },
        after: { ...told(after), ...(isOtherToken ? { origin: 'new' } : {}) },
      })
    }
    return shown(context, id)
  },

  async rotateKey(context, { id }) {
    const { tx, change } = context
    const row = await found(tx, id, { hold: true })
    // What is fetched has none.
    if (row.protocol !== 'rtmp') throw new Failure(404)
    const { text: key } = mint('streamKey')
    await replaceKey(tx, id, streamKeyHash(key))
    change.record({ entity: 'live-stream', id, label: row.name, before: { key: 'old' }, after: { key: 'new' } })
    return { data: await shown(context, id), key }
  },

  async setTranscoder(context, { id, on }) {
    const { tx, change } = context
    const row = await found(tx, id, { hold: true })
    if (!maySwitch(statusOf(row))) throw new Failure(30003)
    if (row.is_on !== on) {
      await switchLive(tx, id, on)
      change.record({ entity: 'live-stream', id, label: row.name, before: { on: row.is_on }, after: { on } })
    }
    return shown(context, id)
  },

  async setRecording(context, { id, on }) {
    const { tx, change } = context
    const row = await found(tx, id, { hold: true })
    if (row.is_recorded !== on) {
      await switchRecording(tx, id, on)
      const [before, after] = [{ recording: row.is_recorded }, { recording: on }]
      change.record({ entity: 'live-stream', id, label: row.name, before, after })
    }
    return shown(context, id)
  },

  async setTest(context, { id, on }) {
    const { tx, change } = context
    const row = await found(tx, id, { hold: true })
    // What is fetched has its origin.
    if (row.protocol !== 'rtmp') throw new Failure(404)
    const isTest = row.input?.isTest ?? false
    if (on && (statusOf(row) !== 3 || (row.input?.state === 'live' && !isTest))) throw new Failure(30029)
    await setTest(tx, id, on ? LIMITS.testPictureSeconds : null)
    change.record({ entity: 'live-stream', id, label: row.name, before: { test: !on }, after: { test: on } })
    return shown(context, id)
  },

  async publish({ tx, change, services, now }, { id }) {
    const row = await found(tx, id)
    // What is fetched has its origin.
    const keyHash = row.protocol === 'rtmp' ? await keyHashOf(tx, id) : null
    if (keyHash === null || !isWebrtcOffered(services.config)) throw new Failure(404)
    if (statusOf(row) !== 3) throw new Failure(30029)
    const until = now.getTime() + PUBLISH_MS
    change.record({ entity: 'live-stream', id, label: row.name, before: null, after: { publish: 'webrtc' } })
    return { token: publishToken(services.config, { id, keyHash, until }), until: new Date(until).toISOString() }
  },

  async recordings({ tx }, { id }) {
    await found(tx, id)
    const rows = await recordingsOf(tx, id)
    return {
      data: rows.map(({ id: recording, state, reason, seconds, bytes, asset, ...row }) => ({
        id: recording,
        state,
        reason,
        seconds,
        bytes,
        asset,
        startedAt: row.started_at.toISOString(),
        endedAt: row.ended_at?.toISOString() ?? null,
      })),
    }
  },

  async remove({ tx, actor, change }, { id }) {
    const removed = isUuid(id) ? await removeLive(tx, actor.organizationId, id) : null
    if (!removed) throw new Failure(404)
    change.record(removed)
    return { id }
  },
})

/** A name is looked up when it is fetched, each time; an address that is none of the internet is told at once. */
function refuseInner(gate: OutgoingGate, url: string): void {
  const { host, port } = targetOf(new URL(url))
  if ((isIpv4(host) || isIpv6(host)) && !gate.reaches(host, port))
    throw new Failure(400, { fields: [{ path: 'originUrl', message: 'validation.bogonIpCheck' }] })
}

type Shape = Pick<LiveRow, 'name' | 'origin_url' | 'latency' | 'key_frame_seconds' | 'rewind_seconds'>

/** @throws Failure 400 for the address of an origin where an encoder sends, or of one that is none of the internet */
function changed(row: LiveRow, wanted: LiveStreamChange, gate: OutgoingGate): Shape {
  if (wanted.originUrl !== undefined) {
    if (row.protocol !== 'hls')
      throw new Failure(400, { fields: [{ path: 'originUrl', message: 'validation.invalid' }] })
    refuseInner(gate, wanted.originUrl)
  }
  return {
    name: wanted.name ?? row.name,
    origin_url: wanted.originUrl ?? row.origin_url,
    latency: wanted.latency ?? row.latency,
    key_frame_seconds: wanted.keyFrameSeconds ?? row.key_frame_seconds,
    rewind_seconds: wanted.rewindSeconds ?? row.rewind_seconds,
  }
}

/** For the audit log, where no token stands. */
const told = ({
  name,
  origin_url: url,
  latency,
  key_frame_seconds: keyFrameSeconds,
  rewind_seconds: rewind,
}: Shape) => ({
  name,
  originUrl: withoutQuery(url),
  latency,
  keyFrameSeconds,
  rewindSeconds: rewind,
})

/** What stands behind it may be somebody's token. */
function withoutQuery(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}${new URL(url).pathname}`
}

/** As it is now. */
async function shown(
  { tx, services, now }: { tx: Tx; services: { config: Config }; now: Date },
  id: string,
): Promise<LiveStream> {
  const row = await found(tx, id)
  return present(services.config, row, await isSigningOn(tx, row.organization_id), now)
}

async function found(tx: Tx, id: string, options: { hold?: boolean } = {}): Promise<LiveRow> {
  const row = isUuid(id) ? await liveById(tx, id, options) : undefined
  if (!row) throw new Failure(404)
  return row
}

const statusOf = (row: LiveRow) =>
  transcoderStatus({
    isOn: row.is_on,
    revision: row.revision,
    appliedRevision: row.applied_revision,
    isRunnerThere: row.is_runner_there,
    ageSeconds: row.age_seconds,
  })

const UNMEASURED = { droppedPercent: null, audioDriftMs: null, isTest: false }

function present(config: Config, row: LiveRow, isSigned: boolean, now: Date): LiveStream {
  const [origin, folder] = [streamOrigin(config, row.organization_id), `/${row.id}/`]
  // What a process of the version before wrote says less.
  const input = row.input && { ...UNMEASURED, ...row.input }
  const before = isSigned && row.is_playable ? previewPath(config, row.organization_id, folder, now) : ''
  return {
    id: row.id,
    name: row.name,
    protocol: row.protocol,
    originUrl: withoutQuery(row.origin_url),
    latency: row.latency,
    keyFrameSeconds: row.key_frame_seconds,
    rewindSeconds: row.rewind_seconds,
    isRecorded: row.is_recorded,
    transcoderStatus: statusOf(row),
    runningSince: row.running_since?.toISOString() ?? null,
    inputUrl: rtmpUrl(config),
    hasWhip: isWebrtcOffered(config),
    keyMadeAt: row.key_made_at.toISOString(),
    input,
    advice: adviseInput(input, row.key_frame_seconds),
    renditions: row.renditions.map(({ name, width, height }) => ({ name, width, height })),
    outputUrl: row.is_playable ? `${origin}${folder}master.m3u8` : null,
    dashUrl: row.is_playable ? `${origin}${folder}manifest.mpd` : null,
    isSigned,
    previewUrl: row.is_playable ? `${origin}${before}${folder}master.m3u8` : null,
    askedAt: row.asked_at?.toISOString() ?? null,
    test: row.is_tested ? { until: row.test_until?.toISOString() ?? null } : null,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  }
}
