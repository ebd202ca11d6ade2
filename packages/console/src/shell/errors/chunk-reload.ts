/** A reload may be tried again after so long. */
const AGAIN_MS = 60_000
const KEY = 'fairway.reloadedAt'

/** Pure: may the page be loaded anew, when it was so last at this time (ms of the epoch, null for never)? */
export function mayReload(lastAt: number | null, now: number): boolean {
  return lastAt === null || !Number.isFinite(lastAt) || now - lastAt >= AGAIN_MS || lastAt > now
}

/**
 * True for an error that says that a file of the program could not be loaded: after an upgrade, that of the build
 * before is gone.
 */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css|error loading dynamically/i.test(
      error.message,
    )
  )
}

/**
 * Loads the page anew, once per minute at most: a file that is gone for good must not make a loop. Offline it stays:
 * there is nothing to load, and what is shown would be lost. Answers whether it does.
 */
export function reloadOnce(): boolean {
  if (!navigator.onLine) return false
  const now = Date.now()
  try {
    const kept = sessionStorage.getItem(KEY)
    if (!mayReload(kept === null ? null : Number(kept), now)) return false
    sessionStorage.setItem(KEY, String(now))
  } catch {
    // Without a memory there is no telling how often; the error page offers to reload.
    return false
  }
  window.location.reload()
  return true
}

/** The router would load the page anew by itself, once for each message: it is told that it has. */
export function keepRouterFromReloading(error: Error): void {
  try {
    sessionStorage.setItem(`tanstack_router_reload:${error.message}`, '1')
  } catch {
    // Without storage the router does not reload either.
  }
}
