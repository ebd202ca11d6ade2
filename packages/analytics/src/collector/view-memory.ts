/** So many views are remembered; the one that was heard of longest ago is forgotten first. */
const REMEMBERED = 200_000
/** Players tell every ten seconds: more than this on top of the time that went by was not watched. */
const SLACK_MS = 15_000
/** Events of one view: a player tells of one in ten seconds, under stress of two a second, but not for long. */
const EVENTS = { burst: 300, perSecond: 1 }
/** Numbers of one view's posts that could not be kept and may come again. */
const MISSED = 32

type View = {
  subject: string
  viewer: number
  /** When it began, by a monotonic clock, ms. */ begun: number
  /** What it has told of since then, ms and events. */ told: number
  events: number
  last: number
  missed: Set<number> | null
}

type Post = {
  subject: string
  viewer: number
  number: number
  /** Time watched by each event, ms. */ watched: number[]
}

export type TakenPost = {
  /** Whom rows are about. */ viewer: number
  /** Of the time of each event what may be believed, ms. */ watched: number[]
  /** It could not be kept: the same post is new when it comes again. */ forget: () => void
}

/**
 * What the collector knows of views under way, so that a post counts once, belongs to the video that the view began
 * with, and that a view tells neither of more time than went by nor of more events than a player has. A restart
 * forgets: what comes then begins anew.
 */
export class ViewMemory {
  readonly #views = new Map<string, View>()

  has(view: string): boolean {
    return this.#views.has(view)
  }

  /**
   * Takes a post of a view; refused when it is another's view, the post was taken before, or the view has told of too
   * much. `now` is monotonic, in ms.
   */
  take(
    id: string,
    { subject, viewer, number, watched }: Post,
    now: number,
  ): TakenPost | { refused: 'repeated' | 'foreign-view' | 'too-many-events' } {
    const known = this.#views.get(id)
    if (known && known.subject !== subject) return { refused: 'foreign-view' }
    if (known && number <= known.last && !known.missed?.has(number)) return { refused: 'repeated' }
    // Who watches on from another network is the same viewer.
    const view = known ?? { subject, viewer, begun: now, told: 0, events: 0, last: -1, missed: null }
    const elapsed = now - view.begun
    if (view.events + watched.length > EVENTS.burst + (elapsed / 1000) * EVENTS.perSecond)
      return { refused: 'too-many-events' }
    this.#views.delete(id)
    this.#views.set(id, view)
    if (this.#views.size > REMEMBERED) this.#views.delete(this.#views.keys().next().value ?? '')
    let left = Math.max(0, elapsed + SLACK_MS - view.told)
    const believed = watched.map((ms) => {
      const one = Math.round(Math.min(ms, left))
      left -= one
      return one
    })
    const sum = believed.reduce((all, one) => all + one, 0)
    view.told += sum
    view.events += watched.length
    view.missed?.delete(number)
    view.last = Math.max(view.last, number)
    const forget = () => {
      view.told -= sum
      view.events -= watched.length
      view.missed ??= new Set()
      if (view.missed.size < MISSED) view.missed.add(number)
    }
    return { viewer: view.viewer, watched: believed, forget }
  }
}
