import type { Segment } from '../segment/segment.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'

/**
 * What the last answer was, for counting. `zone` is null when the name is not ours; `node` is what answered: the name
 * itself, a wildcard, the closest encloser of a name that does not exist.
 */
export class Outcome {
  zone: Segment | null = null
  node = 0
  type = 0
  rcode = 0
  truncated = false
  /** The client has shown a cookie of ours: its address is its own. */
  trusted = false
  steered: SteeredEntry | null = null
  /** Place of the answered CDN in the policy; -1 when none. */
  cdn = -1
  strategyId: string | null = null

  clear(): void {
    this.zone = this.steered = this.strategyId = null
    this.node = this.type = this.rcode = 0
    this.truncated = this.trusted = false
    this.cdn = -1
  }
}
