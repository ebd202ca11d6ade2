import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { CHECKOUT } from '../../commands/checkout.ts'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { registerOperator } from '../operator.ts'
import { startClock } from './clock-encoder.ts'

const { liveStreams } = FEATURES
const SECONDS = 300

/**
 * How far viewers are behind: an encoder draws the time into its picture, a browser reads it out of the pixels that it
 * shows. Low latency, and normal HLS beside it; three qualities are encoded meanwhile.
 */
export async function benchStream(say: (line: string) => void, seconds = SECONDS): Promise<void> {
  await using world = await startInstallation({ command: 'up', settings: { FAIRWAY_LIVE_MOST: '4' } })
  await registerOperator(world)
  for (const latency of ['low', 'normal'] as const) say(await measured(world, latency, seconds))
  const load = os.loadavg().map((one) => one.toFixed(1))
  say(`load of the machine: ${load.join(' ')} on ${os.cpus().length} cores`)
}

async function measured({ api }: Installation, latency: 'low' | 'normal', seconds: number): Promise<string> {
  const stream = {
    name: `Clock, ${latency}`,
    protocol: 'rtmp',
    latency,
    keyFrameSeconds: 2,
    rewindSeconds: 60,
  } as const
  const { data, key } = await api(liveStreams.routes.create, stream)
  const now = () => api(liveStreams.routes.get, { id: data.id })
  while ((await now()).transcoderStatus !== 1) await sleep(200)
  await api(liveStreams.routes.setTranscoder, { id: data.id, on: true })
  while ((await now()).transcoderStatus !== 3) await sleep(200)
  using _clock = startClock(`${data.inputUrl}/${key}`)
  let url: string | null = null
  while (!(url = (await now()).outputUrl)) await sleep(200)
  const said = await browser([url, String(seconds)])
  await api(liveStreams.routes.setTranscoder, { id: data.id, on: false })
  return `${latency} latency: ${said}`
}

/** The browser's part is a program of the tests', which have one. */
function browser(words: string[]): Promise<string> {
  const program = path.join(CHECKOUT, 'e2e/measure-latency.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...words], {
    cwd: CHECKOUT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve(said.trim()) : reject(new Error(`the browser ended with ${code}`)),
    )
  })
}
