import type { Log } from '../log.ts'

type Refusal = { organizationId: string | null; purpose: string; host: string; port: number | null; reason: string }

const REPEAT_MS = 60_000
const REMEMBERED = 2_000

/** Writes refusals down; what is refused again and again (a probe each second) once a minute, with how often. */
export class RefusalLog {
  readonly #log: Log
  readonly #clock: () => number
  readonly #known = new Map<string, { at: number; times: number }>()

  constructor(log: Log, clock: () => number) {
    this.#log = log
    this.#clock = clock
  }

  write({ organizationId, ...refusal }: Refusal): void {
    const key = [organizationId, ...Object.values(refusal)].join(' ')
    const now = this.#clock()
    const known = this.#known.get(key)
    if (known && now - known.at < REPEAT_MS) return void known.times++
    if (this.#known.size > REMEMBERED) this.#known.clear()
    this.#known.set(key, { at: now, times: 0 })
    this.#log.warn({
      event: 'outgoing.refused',
      organization: organizationId,
      ...refusal,
      ...(known && known.times > 0 ? { repeated: known.times } : {}),
    })
  }
}
