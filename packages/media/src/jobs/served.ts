const MOST = 1_000

/** Organisations in the order in which something was done for them: next is who waits longest for that. */
export class Served {
  #order = new Set<string>()

  get ids(): string[] {
    return [...this.#order]
  }

  note(organizationId: string): void {
    this.#order.delete(organizationId)
    this.#order.add(organizationId)
    if (this.#order.size <= MOST) return
    for (const longest of this.#order) {
      this.#order.delete(longest)
      return
    }
  }
}
