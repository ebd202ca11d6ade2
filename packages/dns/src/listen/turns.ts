/** Does a part of what it has to do; true when there is more that could be done at once. */
export type Job = { serve(): boolean }

/** Then what else the process has to do, and what came meanwhile, has its turn. */
const TURN_MS = 4

/**
 * Shares out the time of a process among connections: each does a little and goes to the end of the line, so that one
 * that asks for much keeps nobody waiting.
 */
export class Turns {
  readonly #line = new Set<Job>()
  #scheduled = false

  /** Puts a job at the end of the line, once. */
  add(job: Job): void {
    this.#line.add(job)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#run())
  }

  remove(job: Job): void {
    this.#line.delete(job)
  }

  #run(): void {
    this.#scheduled = false
    const end = performance.now() + TURN_MS
    // A job that is added again while the line is walked comes up once more.
    for (const job of this.#line) {
      this.#line.delete(job)
      if (job.serve()) this.add(job)
      if (performance.now() >= end) break
    }
    const [next] = this.#line
    if (next) this.add(next)
  }
}
