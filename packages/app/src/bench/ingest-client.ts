import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MEASURED, type IngestCount, type IngestLoad } from './bench-ingest.ts'

// The client of `bench ingest`, a process of its own so that its CPU is not counted as the collector's. One measured
// CDN a beacon.
process.once('message', (options) => {
  void run(options as IngestLoad).then((count) => process.send?.(count, () => process.exit(0)))
})

async function run({ url, key, seconds, connections, perSecond = Infinity }: IngestLoad): Promise<IngestCount> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const count: IngestCount = { accepted: 0, refused: 0 }
  const began = performance.now()
  const until = began + seconds * 1000
  let serial = 0
  const sender = async () => {
    while (performance.now() < until) {
      if (serial >= ((performance.now() - began) / 1000) * perSecond) {
        await sleep(5)
        continue
      }
      serial++
      const status = await post(
        agent,
        url,
        JSON.stringify({
          v: 1,
          k: key,
          i: `bench-${serial}-${process.pid}`,
          s: [{ c: MEASURED, r: 20 + (serial % 200), ok: 1 }],
        }),
        addressOf(serial),
      )
      if (status === 204) count.accepted++
      else count.refused++
    }
  }
  await Promise.all(Array.from({ length: connections }, sender))
  agent.destroy()
  return count
}

/** Every beacon from another /24, so that the rate limit of one network is not what is measured. */
const addressOf = (serial: number) => `${20 + (serial % 180)}.${(serial >> 3) & 255}.${(serial >> 11) & 255}.7`

function post(agent: http.Agent, url: string, body: string, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${url}/b/`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'text/plain', 'content-length': body.length, 'x-forwarded-for': address },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
