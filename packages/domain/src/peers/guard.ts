/** What players of one group told, counted. */
export type PeerCounts = { views: number; stalledViews: number; watchedMs: number; stalledMs: number }

/** Of a hundred sessions so many run without peers, to compare with. */
export const CONTROL_PERCENT = 10
/** Views of each group below which nothing is concluded. */
export const LEAST_VIEWS = 20
/** Chance alone goes so far in one of seven hundred looks; it is looked at every minute, at much the same figures. */
const DEVIATIONS = 3
/** Less than this, in percentage points of time, no viewer notices. */
const LEAST_POINTS = 0.2
const LEAST_TIMES = 1.2

/** Share of time that viewers waited, in percent; null when nobody watched. */
export const waitedPercent = ({ watchedMs, stalledMs }: PeerCounts): number | null =>
  watchedMs + stalledMs > 0 ? (stalledMs * 100) / (watchedMs + stalledMs) : null

/**
 * Whether viewers with peers wait more than those without: noticeably more of their time, and more of them than chance
 * explains. Time alone is not enough, for one view that stands for an hour outweighs a thousand; views alone are not,
 * for a blink is a stall.
 */
export function judgePeers(peers: PeerCounts, control: PeerCounts): 'unknown' | 'harmless' | 'harmful' {
  const [withPeers, without] = [waitedPercent(peers), waitedPercent(control)]
  if (peers.views < LEAST_VIEWS || control.views < LEAST_VIEWS || withPeers === null || without === null)
    return 'unknown'
  const isNoticed = withPeers >= without + LEAST_POINTS && withPeers >= without * LEAST_TIMES
  return isNoticed && deviations(peers, control) >= DEVIATIONS ? 'harmful' : 'harmless'
}

/** How far the shares of views that stalled lie apart, in standard deviations of their difference. */
function deviations(peers: PeerCounts, control: PeerCounts): number {
  const shares = peers.stalledViews / peers.views - control.stalledViews / control.views
  const pooled = (peers.stalledViews + control.stalledViews) / (peers.views + control.views)
  const spread = Math.sqrt(pooled * (1 - pooled) * (1 / peers.views + 1 / control.views))
  return spread === 0 ? 0 : shares / spread
}
