import { cachingCases } from './caching-cases.ts'

cachingCases('https')
