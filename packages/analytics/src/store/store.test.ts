import { after } from 'node:test'
import { loadConfig } from '@fairway/platform'
import { startTestStore } from '../test-store.ts'
import { storeConformance } from './store.conformance.ts'
import { openStore } from './store.ts'

const embedded = await startTestStore()
after(() => embedded[Symbol.asyncDispose]())

storeConformance('embedded', () => openStore(embedded.config))

// With FAIRWAY_CLICKHOUSE_URL set, that server has to pass the same suite.
const outside = loadConfig()
if (outside.clickhouseUrl) storeConformance('outside', () => openStore(outside))
