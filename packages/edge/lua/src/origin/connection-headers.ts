const OWN: Record<string, boolean> = {
  'keep-alive': true,
  close: true,
  upgrade: true,
  te: true,
  host: true,
  'content-length': true,
  'transfer-encoding': true,
  'cache-control': true,
  authorization: true,
}

/**
 * Headers that Connection names as meant for one hop only (RFC 9110 7.6.1), but for those that no hop may take away.
 */
export function hopHeaders(connection: string): string[] {
  const found: string[] = []
  if (!namesHeaders(connection)) return found
  for (const item of connection.split(',')) {
    const name = item.trim().toLowerCase()
    if (name !== '' && OWN[name] !== true && !name.startsWith('x-fairway-') && !name.startsWith('x-forwarded-'))
      found.push(name)
  }
  return found
}

/** False for what nearly everybody says, which names none. */
export function namesHeaders(connection: string): boolean {
  return connection !== '' && connection !== 'keep-alive' && connection !== 'close'
}
