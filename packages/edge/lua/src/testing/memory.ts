/**
 * In place of a shared memory of nginx's: one of few entries, which throws out what was used longest ago as that does.
 * `now` is in seconds.
 */
export class Memory {
  entries = new Map<string, { value: string | number; until: number }>()
  private readonly most: number
  private readonly now: () => number
  constructor(most: number, now: () => number) {
    this.most = most
    this.now = now
  }
  private live(key: string) {
    const found = this.entries.get(key)
    return found !== undefined && found.until > this.now() ? found : undefined
  }
  get(key: string) {
    const found = this.live(key)
    if (found) this.put(key, found.value, found.until)
    return [found?.value]
  }
  private put(key: string, value: string | number, until: number): boolean {
    this.entries.delete(key)
    const [oldest] = this.entries.keys()
    const full = this.entries.size >= this.most && oldest !== undefined
    if (full) this.entries.delete(oldest)
    this.entries.set(key, { value, until })
    return full
  }
  set(key: string, value: string, seconds = Infinity) {
    return [true, undefined, this.put(key, value, this.now() + seconds)]
  }
  safe_set(key: string, value: string, seconds = Infinity) {
    for (const [other, { until }] of this.entries) if (until <= this.now()) this.entries.delete(other)
    if (this.entries.size >= this.most && !this.entries.has(key)) return [undefined, 'no memory']
    return this.set(key, value, seconds)
  }
  add(key: string, value: string, seconds: number) {
    return this.live(key) ? [false] : this.set(key, value, seconds)
  }
  safe_add(key: string, value: string, seconds: number) {
    return this.live(key) ? [false, 'exists'] : this.safe_set(key, value, seconds)
  }
  delete(key: string) {
    this.entries.delete(key)
  }
  incr(key: string, by: number, initial?: number, seconds = Infinity) {
    const found = this.live(key)
    if (!found && initial === undefined) return [undefined, 'not found']
    const value = Number(found?.value ?? initial) + by
    return [value, undefined, this.put(key, value, found?.until ?? this.now() + seconds)]
  }
}
