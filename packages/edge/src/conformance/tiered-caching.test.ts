import { cachingCases } from './caching-cases.ts'

// The same through both caches.
cachingCases('http', true)
