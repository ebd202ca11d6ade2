import type { ZoneFileFormat } from '@fairway/contract'
import { type SplitZoneFile, splitZoneFile } from '@fairway/domain'

/** How long the page may wait for a turn. */
const TURN_MS = 12

/** The parts of a large file, made while the page goes on. Null when it is not wanted any more. */
export async function splitInTurns(
  { format, text, siteName }: { format: ZoneFileFormat; text: string; siteName: string },
  { onRead, signal }: { onRead: (records: number) => void; signal: AbortSignal },
): Promise<SplitZoneFile | null> {
  const turns = splitZoneFile(format, text, siteName)
  for (;;) {
    const started = performance.now()
    while (performance.now() - started < TURN_MS) {
      const { done, value } = turns.next()
      if (done) return value
      onRead(value)
    }
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return null
  }
}
