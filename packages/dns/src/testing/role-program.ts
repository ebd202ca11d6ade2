/** The name server as a process of its own, for tests that kill it. */
import { loadConfig } from '@fairway/platform'
import { startDns } from '../role.ts'
import { silentLog } from './server-fixture.ts'

const { at, serverPids } = await startDns({ config: loadConfig(), log: silentLog })
process.send?.({ at, pids: serverPids() })
