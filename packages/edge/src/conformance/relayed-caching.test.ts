import { cachingCases } from './caching-cases.ts'

// The same through both caches, and those of another machine that speaks with the origin for this one.
cachingCases('http', true, true)
