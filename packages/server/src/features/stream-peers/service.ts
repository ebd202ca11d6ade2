import { loadBeaconScript, streamPeerTotals } from '@fairway/analytics'
import { type PeerGroup, type StreamPeers, streamPeers } from '@fairway/contract'
import { CONTROL_PERCENT, LEAST_VIEWS, type PeerCounts, judgePeers, waitedPercent } from '@fairway/domain'
import { type Config, peersAddress, type Tx } from '@fairway/platform'
import { askStore } from '../../http/ask-store.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { isSigningOn } from '../signed-urls/store.ts'
import { holdPeers, type PeersRow, peersOf, savePeers } from './store.ts'

const { peers: script } = loadBeaconScript()
/** Yesterday's players and lines say little of today's. */
const LONGEST_MS = 86_400_000

export const streamPeersSlice = slice(streamPeers, {
  async get({ tx, services }, { source }) {
    return present(tx, services.config, await found(tx, source))
  },

  async set({ tx, services, change, now }, { source, isOn, withSigned }) {
    if (isUuid(source)) await holdPeers(tx, source)
    const before = await found(tx, source)
    if (before.is_on !== isOn || before.with_signed !== withSigned) {
      // Figures of another setting are no figures of this one.
      const onSince = isOn ? (before.is_on ? before.on_since : now) : before.on_since
      await savePeers(tx, before, { isOn, withSigned, onSince })
      change.key = source
      change.record({
        entity: 'stream-peers',
        id: source,
        label: before.name,
        before: { isOn: before.is_on, withSigned: before.with_signed },
        after: { isOn, withSigned },
      })
    }
    return present(tx, services.config, await found(tx, source))
  },

  async figures({ tx, services, now }, { source }) {
    const row = await found(tx, source)
    const since = figuresSince(row, now.getTime())
    const totals = await askStore(
      streamPeerTotals(services.events, {
        organizationId: row.organization_id,
        source,
        from: Math.floor(since / 1000),
        now: Math.floor(now.getTime() / 1000),
      }),
    )
    const bytes = totals.peerBytes + totals.cdnBytes
    return {
      ...totals,
      since: new Date(since).toISOString(),
      peerPercent: bytes > 0 ? (totals.peerBytes * 100) / bytes : null,
      peers: groupOf(totals.peers),
      control: groupOf(totals.control),
      verdict: judgePeers(totals.peers, totals.control),
    }
  },
})

/** From when on figures count, epoch ms. */
export const figuresSince = ({ on_since: onSince }: PeersRow, now: number): number =>
  Math.max(onSince?.getTime() ?? 0, now - LONGEST_MS)

export const groupOf = (counts: PeerCounts): PeerGroup => ({ ...counts, rebufferPercent: waitedPercent(counts) })

async function found(tx: Tx, source: string): Promise<PeersRow> {
  const row = isUuid(source) ? await peersOf(tx, source) : undefined
  if (!row) throw new Failure(404)
  return row
}

async function present(tx: Tx, config: Config, row: PeersRow): Promise<StreamPeers> {
  const isResting = row.is_on && !row.with_signed && (await isSigningOn(tx, row.organization_id))
  const off = row.stopped === null ? 'off' : 'stopped'
  return {
    isOn: row.is_on,
    withSigned: row.with_signed,
    state: isResting ? 'resting' : row.is_on ? 'on' : off,
    stop: row.stopped,
    controlPercent: CONTROL_PERCENT,
    leastViews: LEAST_VIEWS,
    address: peersAddress(config, { organizationId: row.organization_id, kind: row.kind, sourceId: row.source_id }),
    script: `${config.collectorUrl}/${script.file}`,
    integrity: script.integrity,
  }
}
