import type { Log, OutgoingGate } from '@fairway/platform'

export type NameTable = Record<string, string[]>
/** Names to resolve, each with an organisation that wants it. */
export type Wanted = ReadonlyMap<string, string>
export type OriginNames = Disposable & {
  /**
   * Resolves those not yet known and answers with what is known of them after `FIRST_ANSWER_MS` at the latest, or at
   * once where an organisation's names were waited for in vain lately: they come when they are known.
   */
  ensure(names: Wanted): Promise<NameTable>
  unresolved(): string[]
}

const REFRESH_MS = 30_000
const FIRST_ANSWER_MS = 2_000
/** Everybody's changes wait with the one whose names are asked for: who has been waited for in vain is not for a while. */
const NOT_AGAIN_MS = 30_000
/** Questions under way at a time: a resolver that gets thousands at once loses some. */
const LANES = 64
/** A round of thousands is told as it goes. */
const TELL_MS = 500

/**
 * Keeps origins' host names resolved, so that no request waits for a resolver and the last good addresses outlive its
 * outage.
 * `changed` is called with names whose addresses are new.
 * Whoever owns a name decides where it leads, and may change it at any time: each time it is resolved, its addresses go
 * through the gate.
 */
export function originNames(options: {
  gate: OutgoingGate
  wanted: () => Wanted
  changed: (table: NameTable) => void
  log: Log
  refreshMs?: number
  firstAnswerMs?: number
}): OriginNames {
  const known = new Map<string, string[]>()
  const failing = new Map<string, string>()
  const inVain = new Map<string, number>()
  const resolveOne = async (name: string, organizationId: string): Promise<boolean> => {
    try {
      const addresses = (await options.gate.addresses({ organizationId, purpose: 'origin' }, name, null)).sort()
      failing.delete(name)
      if (known.get(name)?.join() === addresses.join()) return false
      known.set(name, addresses)
      options.log.info({ event: 'origin.resolved', name, addresses })
      return true
    } catch (error) {
      // The last good addresses stay in use. Each name tells once what is wrong, not every time that it still is.
      const why = error instanceof Error ? error.message : String(error)
      if (failing.get(name) !== why)
        options.log.warn({ event: 'origin.unresolved', name, kept: known.get(name)?.length ?? 0, err: error })
      failing.set(name, why)
      return false
    }
  }
  const tableOf = (names: string[]): NameTable =>
    Object.fromEntries(names.flatMap((name) => (known.has(name) ? [[name, known.get(name) ?? []]] : [])))
  const refresh = async (names: Wanted) => {
    let news: string[] = []
    const tell = () => {
      const told = news
      news = []
      if (told.length > 0) options.changed(tableOf(told))
    }
    const left = [...names].values()
    const lane = async () => {
      for (const [name, owner] of left) if (await resolveOne(name, owner)) news.push(name)
    }
    const beat = setInterval(tell, TELL_MS).unref()
    try {
      await Promise.all(Array.from({ length: LANES }, lane))
    } finally {
      clearInterval(beat)
      tell()
    }
  }
  const rounds = new Set<'sound' | 'failing'>()
  const goRound = (kind: 'sound' | 'failing', wanted: Wanted) => {
    if (rounds.has(kind)) return
    rounds.add(kind)
    const names = new Map([...wanted].filter(([name]) => failing.has(name) === (kind === 'failing')))
    void refresh(names).finally(() => rounds.delete(kind))
  }
  const timer = setInterval(() => {
    const wanted = options.wanted()
    for (const name of known.keys()) if (!wanted.has(name)) known.delete(name)
    for (const name of failing.keys()) if (!wanted.has(name)) failing.delete(name)
    // Names that nobody answers for take seconds each, and keep no others waiting.
    goRound('sound', wanted)
    goRound('failing', wanted)
  }, options.refreshMs ?? REFRESH_MS)
  timer.unref()
  return {
    async ensure(names) {
      const unknown = new Map([...names].filter(([name]) => !known.has(name)))
      const now = performance.now()
      for (const [owner, at] of inVain) if (now - at > NOT_AGAIN_MS) inVain.delete(owner)
      const asked = (isWaited: boolean) => new Map([...unknown].filter(([, owner]) => inVain.has(owner) !== isWaited))
      void refresh(asked(false))
      const waited = asked(true)
      if (waited.size > 0) {
        let giveUp: NodeJS.Timeout | undefined
        const late = new Promise<'late'>(
          (resolve) => (giveUp = setTimeout(resolve, options.firstAnswerMs ?? FIRST_ANSWER_MS, 'late')),
        )
        const isLate = (await Promise.race([refresh(waited), late])) === 'late'
        clearTimeout(giveUp)
        if (isLate) for (const [name, owner] of waited) if (!known.has(name)) inVain.set(owner, performance.now())
      }
      return tableOf([...names.keys()])
    },
    unresolved: () => [...options.wanted().keys()].filter((name) => !known.has(name)),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
