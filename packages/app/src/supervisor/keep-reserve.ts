import {
  type Config,
  type Disk,
  type Log,
  diskMarks,
  diskOf,
  fillReserve,
  giveUpReserve,
  missingReserve,
} from '@fairway/platform'

const LOOK_MS = 500
/** A start has more urgent things to write. */
const FILL_AFTER_MS = 30_000
/** What is free after the reserve was filled up is more than any mark asks for. */
const SPARE = 1.2

export type ReserveOptions = {
  config: Config
  log: Log
  read?: (home: string) => Disk
  lookMs?: number
  fillAfterMs?: number
}

/** Gives up a piece of the reserve with each look at a disk that has nothing left, and fills it up when there is room. */
export function keepReserve({
  config,
  log,
  read = diskOf,
  lookMs = LOOK_MS,
  fillAfterMs = FILL_AFTER_MS,
}: ReserveOptions): AsyncDisposable {
  const startedAt = performance.now()
  let [filling, isTold]: [Promise<void> | null, boolean] = [null, false]
  const fill = async (spareBytes: number) => {
    try {
      await fillReserve(config, spareBytes)
      isTold = false
    } catch (error) {
      if (!isTold) log.warn({ event: 'reserve.not-filled', err: error })
      isTold = true
    }
  }
  const look = () => {
    try {
      const { freeBytes, totalBytes } = read(config.home)
      if (giveUpReserve(config.home, freeBytes)) log.error({ event: 'reserve.given-up', freeBytes })
      const spare = freeBytes - diskMarks(config, totalBytes).scarceBytes * SPARE
      const isTime = filling === null && performance.now() - startedAt >= fillAfterMs
      if (isTime && spare > 0 && missingReserve(config) > 0) filling = fill(spare).finally(() => (filling = null))
    } catch (error) {
      if (!isTold) log.warn({ event: 'reserve.not-kept', err: error })
      isTold = true
    }
  }
  const timer = setInterval(look, lookMs)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await filling
    },
  }
}
