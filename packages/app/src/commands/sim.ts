import { setTimeout as delay } from 'node:timers/promises'
import { type SimulatedCdn, SimulatedFault, simulatedCdns } from '@fairway/contract'
import { loadConfig } from '@fairway/platform'
import { type Api, ApiError, operatorApi } from '../api-client.ts'
import { UsageError, parseWords } from './options.ts'

const LIVE_PATIENCE_MS = 5000

/** `sim <cdn> up|down|slow <ms>|errors <percent>`: drives a simulated CDN and waits until the edge does it. */
export async function sim(words: string[]): Promise<number> {
  const { positionals } = parseWords(words, {})
  const [name, mode, figure, ...more] = positionals
  if (name === undefined || mode === undefined || more.length)
    throw new UsageError(`say which CDN and what to do with it: sim <cdn> up|down|slow <ms>|errors <percent>.`)
  const fault = faultOf(mode, figure)
  const api = operatorApi(loadConfig())
  const startedAt = performance.now()
  const changed = await api(simulatedCdns.routes.set, { cdn: name, fault }).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === 404)
      throw new UsageError(
        `there is no simulated CDN "${name}". There are: ${(await list(api)).map((cdn) => cdn.cdnId).join(', ')}.`,
      )
    throw error
  })
  const live = await untilLive(api, changed)
  const afterMs = Math.round(performance.now() - startedAt)
  process.stdout.write(
    live
      ? `${changed.name} is ${told(fault)} (live at the edge after ${afterMs} ms)\n`
      : `${changed.name} shall be ${told(fault)}, but the edge has not confirmed it yet\n`,
  )
  return live ? 0 : 1
}

/** @throws UsageError when the words do not name a state. */
export function faultOf(mode: string, figure: string | undefined): SimulatedFault {
  const wanted =
    mode === 'slow'
      ? { mode, addMs: Number(figure) }
      : mode === 'errors'
        ? { mode, percent: Number(figure) }
        : figure === undefined
          ? { mode }
          : null
  const parsed = SimulatedFault.safeParse(wanted)
  if (!parsed.success)
    throw new UsageError(
      `"${[mode, figure].filter((word) => word !== undefined).join(' ')}" is not a state of a CDN. States: up, down, slow <ms> (1 to 60000), errors <percent> (0 to 100), lie.`,
    )
  return parsed.data
}

async function list(api: Api): Promise<SimulatedCdn[]> {
  return (await api(simulatedCdns.routes.list, {})).data
}

async function untilLive(api: Api, { cdnId, version }: SimulatedCdn): Promise<boolean> {
  for (const giveUpAt = performance.now() + LIVE_PATIENCE_MS; performance.now() < giveUpAt; await delay(30)) {
    const cdn = (await list(api)).find((row) => row.cdnId === cdnId)
    if (cdn && (cdn.version > version || cdn.live)) return true
  }
  return false
}

function told(fault: SimulatedFault): string {
  switch (fault.mode) {
    case 'up':
      return 'well'
    case 'down':
      return 'down'
    case 'slow':
      return `slower by ${fault.addMs} ms`
    case 'errors':
      return `failing ${fault.percent} % of requests`
    case 'lie':
      return 'saying that purges are done, and serving on'
  }
}
