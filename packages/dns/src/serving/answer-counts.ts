import type { Outcome } from '../answer/outcome.ts'
import { RCODE_NAMES } from '../wire/codes.ts'
import type { Transport } from '../answer/answerer.ts'

const RCODES = 24

/** Plain numbers, counted on the query path and read by the metrics. */
export class AnswerCounts {
  readonly #udp = new Float64Array(RCODES)
  readonly #tcp = new Float64Array(RCODES)
  truncated = 0
  steered = 0

  count(outcome: Outcome, transport: Transport): void {
    const counts = transport === 'udp' ? this.#udp : this.#tcp
    counts[outcome.rcode] = (counts[outcome.rcode] ?? 0) + 1
    if (outcome.truncated) this.truncated++
    if (outcome.steered) this.steered++
  }

  /** Answers by transport and response code, those that happened. */
  all(): { transport: Transport; rcode: string; answers: number }[] {
    const rows = (transport: Transport, counts: Float64Array) => [...counts].map((answers, code) => ({ transport, rcode: RCODE_NAMES[code] ?? String(code), answers })).filter((row) => row.answers > 0)
    return [...rows('udp', this.#udp), ...rows('tcp', this.#tcp)]
  }
}
