import fs from 'node:fs'
import path from 'node:path'
import { Problem, type Log } from '@fairway/platform'
import { batchesWork } from './self-test.ts'
import type { UdpTransport } from './udp.ts'

export type TransportChoice = Disposable & { transport: UdpTransport }

/** Starts with batches that did not end well, after which one is made without. */
const MOST_BAD_STARTS = 3
/** Who has lived so long did not die of its start. */
const STEADY_MS = 60_000

/**
 * Batches where they work. What a fault in memory that is not JavaScript's does is end the process, so starts are counted on disk: after three that were not
 * followed by a minute of life or an orderly end, one start does without.
 * @throws Problem when the setting insists on batches and they do not work
 */
export async function chooseTransport(setting: UdpTransport | 'auto', folder: string, log: Log): Promise<TransportChoice> {
  if (setting === 'dgram') return { transport: 'dgram', [Symbol.dispose]() {} }
  const file = path.join(folder, 'batch-starts')
  const bad = badStarts(file)
  if (setting === 'auto' && bad >= MOST_BAD_STARTS) {
    log.error({ event: 'udp.batches-left-out', reason: `${bad} starts with them ended badly`, goesOnWith: 'dgram' })
    fs.rmSync(file, { force: true })
    return { transport: 'dgram', [Symbol.dispose]() {} }
  }
  fs.writeFileSync(file, String(bad + 1))
  const forget = () => fs.rmSync(file, { force: true })
  const works = await batchesWork(log)
  if (!works && setting === 'mmsg') throw new Problem('FAIRWAY_DNS_TRANSPORT=mmsg: datagrams cannot be taken in batches on this machine. Leave the setting out, and the name server takes what works.')
  if (!works) log.warn({ event: 'udp.batches-left-out', reason: 'they do not work on this machine', goesOnWith: 'dgram' })
  const timer = setTimeout(forget, STEADY_MS)
  timer.unref()
  return {
    transport: works ? 'mmsg' : 'dgram',
    [Symbol.dispose]() {
      clearTimeout(timer)
      forget()
    },
  }
}

function badStarts(file: string): number {
  try {
    return Number(fs.readFileSync(file, 'utf8')) || 0
  } catch {
    return 0
  }
}
