/** A path that a rule is about. */
export type PathMatch = { type: 'directory' | 'extension' | 'pattern'; path: string }

export type CacheRule = PathMatch & { ttlSeconds: number; honorOrigin: boolean }
