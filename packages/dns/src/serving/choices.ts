import type { Choice } from '../steering/steering.ts'

const WITHIN_MS = 20
/** More in that time come of made-up networks; who does not hear of them chooses for itself. */
const MOST_WAITING = 10_000

/**
 * Gathers choices for a moment, for the other processes of the node: visitors of the margin between two CDNs should get
 * the same from each.
 */
export class Choices implements Disposable {
  readonly #tell: (choices: Choice[]) => void
  #waiting: Choice[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(tell: (choices: Choice[]) => void) {
    this.#tell = tell
  }

  add(choice: Choice): void {
    if (this.#waiting.length >= MOST_WAITING) return
    this.#waiting.push(choice)
    this.#timer ??= setTimeout(() => {
      const choices = this.#waiting
      this.#waiting = []
      this.#timer = null
      this.#tell(choices)
    }, WITHIN_MS)
  }

  [Symbol.dispose](): void {
    if (this.#timer) clearTimeout(this.#timer)
  }
}
