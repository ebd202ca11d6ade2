/** A path that a rule is about. */
export type PathMatch = {
  type: 'directory' | 'extension' | 'pattern'
  path: string
  /** Of a pattern, worked out when it is met: what stands between its stars. */ pieces?: string[]
}

export type CacheRule = PathMatch & { ttlSeconds: number; honorOrigin: boolean }
