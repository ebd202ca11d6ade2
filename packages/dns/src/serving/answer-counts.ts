import { DNS_TRANSPORTS } from '@fairway/contract/lean'
import type { Outcome } from '../answer/outcome.ts'
import { RCODE_NAMES } from '../wire/codes.ts'
import type { Transport } from '../answer/answerer.ts'

const RCODES = 24

/** Plain numbers, counted on the query path and read by the metrics. */
export class AnswerCounts {
  readonly #counts: Readonly<Record<Transport, Float64Array>> = {
    udp: new Float64Array(RCODES),
    tcp: new Float64Array(RCODES),
    tls: new Float64Array(RCODES),
    https: new Float64Array(RCODES),
  }
  truncated = 0
  steered = 0

  count(outcome: Outcome, transport: Transport): void {
    const counts = this.#counts[transport]
    counts[outcome.rcode] = (counts[outcome.rcode] ?? 0) + 1
    if (outcome.truncated) this.truncated++
    if (outcome.steered) this.steered++
  }

  /** Answers by transport and response code, those that happened. */
  all(): { transport: Transport; rcode: string; answers: number }[] {
    return DNS_TRANSPORTS.flatMap((transport) =>
      [...this.#counts[transport]]
        .map((answers, code) => ({ transport, rcode: RCODE_NAMES[code] ?? String(code), answers }))
        .filter((row) => row.answers > 0),
    )
  }
}
