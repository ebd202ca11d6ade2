import { cachingCases } from './caching-cases.ts'

cachingCases('http')
