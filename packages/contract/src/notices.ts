/**
 * What a name server is told beside its zones, an entry of its own: it reads these from its disk before it answers, and
 * must not wait for the schemas of everything else.
 */
export { ScoresSnapshot } from './snapshots/scores.ts'
export { DnsTransfers } from './snapshots/transfers.ts'
