import type { PeerCounts } from '@fairway/domain'
import type { EventStore } from '../store/store.ts'
import { type StreamInput, streamConditions, streamGrain, streamParameters } from './stream-source.ts'

export type PeerTotals = {
  sharing: number
  peerBytes: number
  cdnBytes: number
  refusedPieces: number
  peers: PeerCounts
  control: PeerCounts
}

/** Players tell every ten seconds. */
const THERE_SECONDS = 15
const NOBODY: PeerCounts = { views: 0, stalledViews: 0, watchedMs: 0, stalledMs: 0 }

/** What views of one video told that had peers or were there to compare with, from a time on (epoch seconds). */
export async function streamPeerTotals(
  store: EventStore,
  { organizationId, source, from, now }: { organizationId: string; source: string; from: number; now: number },
): Promise<PeerTotals> {
  const rows = await store.query<
    PeerCounts & { of: 'peers' | 'control'; peer: number; cdn: number; refused: number; there: number }
  >(
    `SELECT of, count() AS views, countIf(stalls > 0) AS stalledViews, sum(watched) AS watchedMs, sum(stalled) AS stalledMs, sum(peer_) AS peer, sum(cdn_) AS cdn, sum(refused_) AS refused, countIf(lately) AS there
     FROM (SELECT view, max(peer_group) AS of, countIf(event = 'stall') AS stalls, sum(watched_ms) AS watched, sumIf(ms, event = 'resume' AND ms > 0) AS stalled, sum(peer_bytes) AS peer_, sum(cdn_bytes) AS cdn_,
         sum(refused_pieces) AS refused_, max(player_events.at) >= fromUnixTimestamp({there:Int64}) AND argMax(event, (player_events.at, post)) <> 'end' AS lately
       FROM player_events WHERE organization = {organization:String} AND source = {source:String} AND player_events.at >= fromUnixTimestamp({from:Int64}) GROUP BY view HAVING of <> '')
     GROUP BY of`,
    { organization: organizationId, source, from, there: now - THERE_SECONDS },
  )
  const group = (name: 'peers' | 'control') => rows.find(({ of }) => of === name)
  const countsOf = (row: PeerCounts | undefined): PeerCounts =>
    row
      ? { views: row.views, stalledViews: row.stalledViews, watchedMs: row.watchedMs, stalledMs: row.stalledMs }
      : NOBODY
  const peers = group('peers')
  return {
    sharing: peers?.there ?? 0,
    peerBytes: peers?.peer ?? 0,
    cdnBytes: peers?.cdn ?? 0,
    refusedPieces: peers?.refused ?? 0,
    peers: countsOf(peers),
    control: countsOf(group('control')),
  }
}

/** Videos of which views with peers were told of from a time on (epoch seconds). */
export async function sourcesWithPeers(store: EventStore, from: number): Promise<Set<string>> {
  const rows = await store.query<{ source: string }>(
    `SELECT DISTINCT source FROM player_events WHERE player_events.at >= fromUnixTimestamp({from:Int64}) AND peer_group <> ''`,
    { from },
  )
  return new Set(rows.map(({ source }) => source))
}

/** What viewers of an organisation's videos got from each other in a range. */
export async function streamPeerBytes(store: EventStore, input: StreamInput): Promise<number> {
  const rows = await store.query<{ bytes: number }>(
    `SELECT sum(peer_bytes) AS bytes FROM player_events WHERE ${streamConditions(input)}`,
    streamParameters(input, streamGrain(input)),
  )
  return rows[0]?.bytes ?? 0
}
