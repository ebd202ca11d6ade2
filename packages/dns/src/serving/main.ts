/**
 * One of the processes that answer queries side by side on one address, so that the node has more than one core and the
 * end of any of them is no silence.
 */
import fs from 'node:fs'
import { flushCompileCache } from 'node:module'
import os from 'node:os'
import { Problem } from '@fairway/platform/lean'
import type { FromServer, Start, ToServer } from './messages.ts'
import { serverLog } from './server-log.ts'
import { Server } from './server.ts'

/** Without a manager it answers until the next one's servers are there, which tell this one to leave; so often it looks whether its home is. */
const LOOK_HOME_MS = 5000
const LEAVE_MS = 3000
const LAST_WORD_MS = 500
/** Where cores are short, who asks by datagrams comes before who asks by streams, whatever those ask for. */
const NICE_FOR_STREAMS = 5

const tell = (message: FromServer) => {
  // A manager that was killed is noticed a moment later; what it was told meanwhile is lost, and no fault of this
  // process.
  if (process.connected) process.send?.(message, () => {})
}
const running: { server: Server | null; home: string | null; early: Exclude<ToServer, Start>[]; isLeaving: boolean } = {
  server: null,
  home: null,
  early: [],
  isLeaving: false,
}

process.on('message', (message: ToServer) => {
  // What comes before the disk has been read counts for more than the disk.
  if (message.kind === 'start') void run(message)
  else if (running.server === null) running.early.push(message)
  else take(running.server, message)
})
// Ctrl-C reaches every process of a terminal; the manager says when to end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => void leave())
process.on('disconnect', () => {
  if (running.server === null) return void leave()
  running.server.goOnAlone()
  setInterval(() => running.home !== null && !fs.existsSync(running.home) && void leave(), LOOK_HOME_MS)
})
if (!process.connected) process.exit(1)

async function run(start: Start): Promise<void> {
  const log = serverLog(start.config, start.number, tell, () => process.connected)
  const die = (error: unknown) => {
    log.error({ event: 'server.died', err: error })
    const reason = error instanceof Error ? error.message : String(error)
    setTimeout(() => process.exit(1), LAST_WORD_MS)
    // It waits for its last word to be on its way.
    if (process.connected)
      process.send?.(
        { kind: 'failed', reason, sentence: error instanceof Problem ? reason : null } satisfies FromServer,
        () => process.exit(1),
      )
    else process.exit(1)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
  if (start.takes === 'streams') os.setPriority(NICE_FOR_STREAMS)
  try {
    const server = await Server.restore(start, tell, log)
    for (const message of running.early.splice(0)) take(server, message)
    running.server = server
    running.home = start.config.home
    await server.listen()
    tell({ kind: 'listening' })
    // Compiled code is written at a clean exit only, and a server that is started again wants it most.
    setTimeout(flushCompileCache, 1000).unref()
  } catch (error) {
    die(error)
  }
}

function take(server: Server, message: Exclude<ToServer, Start>): void {
  if (message.kind === 'stop') void end(server)
  else server.take(message)
}

/** Answers what has been asked and ends. */
async function leave(): Promise<void> {
  if (running.isLeaving) return
  running.isLeaving = true
  setTimeout(() => process.exit(0), LEAVE_MS).unref()
  await running.server?.leave()
  await end(running.server)
}

async function end(server: Server | null): Promise<void> {
  await server?.[Symbol.asyncDispose]()
  process.exit(0)
}
