/** So many views are remembered; the one that was heard of longest ago is forgotten first. */
const REMEMBERED = 200_000
/** Players tell every ten seconds: more than this on top of the time that went by was not watched. */
const SLACK_MS = 15_000

type View = { subject: string; viewer: number; at: number; last: number }

/**
 * What the collector knows of views under way, so that a post counts once, belongs to the video that the view began
 * with, and cannot tell of more time than went by. A restart forgets: what comes then begins anew.
 */
export class ViewMemory {
  readonly #views = new Map<string, View>()

  has(view: string): boolean {
    return this.#views.has(view)
  }

  /**
   * Takes the post `number` of a view; the viewer that rows are about, and how much time it may tell of. Null when it is
   * another's view, or the post was taken before. `now` is monotonic, in ms.
   */
  take(
    view: string,
    post: { subject: string; viewer: number; number: number },
    now: number,
  ): { viewer: number; mostMs: number } | { refused: 'repeated' | 'foreign-view' } {
    const known = this.#views.get(view)
    if (known && known.subject !== post.subject) return { refused: 'foreign-view' }
    if (known && post.number <= known.last) return { refused: 'repeated' }
    this.#views.delete(view)
    // Who watches on from another network is the same viewer.
    const viewer = known?.viewer ?? post.viewer
    this.#views.set(view, { subject: post.subject, viewer, at: now, last: post.number })
    if (this.#views.size > REMEMBERED) this.#views.delete(this.#views.keys().next().value ?? '')
    return { viewer, mostMs: (known ? now - known.at : 0) + SLACK_MS }
  }
}
