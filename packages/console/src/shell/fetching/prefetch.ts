type Connection = { saveData?: boolean; effectiveType?: string }

/**
 * Pure: may pages be fetched before they are asked for? Not offline, not on a slow connection (what is fetched ahead
 * stands in the way of what is wanted), not for who saves data.
 */
export function mayPrefetch({ onLine, connection }: { onLine: boolean; connection?: Connection | undefined }): boolean {
  return onLine && connection?.saveData !== true && (connection?.effectiveType ?? '4g') === '4g'
}

/** What the browser knows of its connection now. */
export function networkNow(): { onLine: boolean; connection?: Connection | undefined } {
  // Not every browser has it, and the DOM's types have it nowhere.
  const connection: unknown = Reflect.get(navigator, 'connection')
  return {
    onLine: navigator.onLine,
    connection: typeof connection === 'object' && connection !== null ? connection : undefined,
  }
}
