/**
 * Of requests that miss the same object at the same time one goes to the origin, and the others are answered from what
 * it has stored. Asked behind the caches, so a hit costs nothing, and both caches and all CDNs behind the second one
 * share the waiting.
 */

/** A fetch that has died with its worker holds nobody up for longer. */
const FETCH_MOST_SECONDS = 30
const WAIT_MOST_SECONDS = 5
/** How long it is remembered that nothing was stored: nobody waits for such an answer. */
const UNSHARED_SECONDS = 300
/** After a failure the next one may well be kept. */
const FAILED_SECONDS = 1
/** Who looked into the caches before it was stored and comes here after that finds it, and asks for nothing. */
const DONE_SECONDS = 0.25
const [UNDER_WAY, DONE] = ['1', '2']
const FIRST_PAUSE_SECONDS = 0.004
const LONGEST_PAUSE_SECONDS = 0.1

// Fetches under way are as many as connections; answers that were not stored are as many as somebody asks for, and have
// a memory of their own.

/** `first` asks the origin for all; `shared` finds what it has stored; `alone` has nobody to wait for. */
export type Turn = 'first' | 'shared' | 'alone'

/** May wait. The name by which the fetch is known comes with it. */
export function takeTurn(key: string): { turn: Turn; name: string } {
  const { fetching } = ngx.shared
  const name = ngx.md5_bin(key)
  if (isUnshared(name)) return { turn: 'alone', name }
  const [added] = fetching.add(name, UNDER_WAY, FETCH_MOST_SECONDS)
  if (added === true) return { turn: 'first', name }
  const until = ngx.now() + WAIT_MOST_SECONDS
  for (let pause = FIRST_PAUSE_SECONDS; ngx.now() < until;) {
    if (isUnshared(name)) return { turn: 'alone', name }
    const [state] = fetching.get(name)
    if (state !== UNDER_WAY) return { turn: 'shared', name }
    ngx.sleep(pause)
    pause = pause < LONGEST_PAUSE_SECONDS ? pause * 1.5 : LONGEST_PAUSE_SECONDS
  }
  return { turn: 'alone', name }
}

function isUnshared(name: string): boolean {
  const [known] = ngx.shared.unshared.get(name)
  return known !== undefined
}

/** The head of the first one's answer has come: when nothing of it will be stored, those who wait go on at once. */
export function tellWaiting(name: string, isStored: boolean, hasFailed: boolean): void {
  if (isStored) return
  ngx.shared.unshared.set(name, '1', hasFailed ? FAILED_SECONDS : UNSHARED_SECONDS)
  endTurn(name)
}

/** Who went alone has got something that is stored after all. */
export function nowShared(key: string): void {
  ngx.shared.unshared.delete(ngx.md5_bin(key))
}

export function endTurn(name: string, isStored = false): void {
  if (isStored) ngx.shared.fetching.set(name, DONE, DONE_SECONDS)
  else ngx.shared.fetching.delete(name)
}
