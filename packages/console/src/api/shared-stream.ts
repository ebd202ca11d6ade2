/**
 * Follows a stream of the server's, once for all open tabs: a browser has six connections to an address without HTTP/2,
 * and a few tabs with a stream each would leave none for the pages themselves. One tab asks and tells the others.
 * Only tabs of one organisation share: another one may have signed in since, and the first tab still hears of its own.
 * Answers a function that stops it.
 */
export function followShared(path: string, organizationId: string, heard: (data: string) => void): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  // Not offered outside of a secure context: each tab for itself then.
  const { locks } = navigator as { locks?: LockManager | null }
  if (!locks) return ask(path, heard)
  const name = `${organizationId} ${path}`
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<string>) => heard(data))
  const over = new AbortController()
  const until = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()))
  locks
    .request(name, { signal: over.signal }, async () => {
      const stop = ask(path, (data) => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, a window is meant
        channel.postMessage(data)
        heard(data)
      })
      await until
      stop()
    })
    // Stopped while another tab asked.
    .catch(() => {})
    .finally(() => channel.close())
  return () => over.abort()
}

function ask(path: string, heard: (data: string) => void): () => void {
  const source = new EventSource(path)
  source.addEventListener('message', ({ data }: MessageEvent<string>) => heard(data))
  return () => source.close()
}
