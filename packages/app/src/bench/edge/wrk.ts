import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { HOSTS } from './proxy-under-test.ts'

export type Workload = 'hit' | 'miss' | 'pass'
export type WrkResult = { requests: number; failed: number; p99Ms: number }

/** `hit`: ten pages of each host again and again. `miss`: every page once, to be kept. `pass`: the origin forbids to keep it. */
const PATHS: Record<Workload, string> = { hit: '"/page-" .. n % 10', miss: '"/miss/" .. run .. "-" .. n', pass: '"/pass/" .. n' }

let runs = 0

/** One run of wrk with 16 connections, on the last core when there are two so that client and server do not share one. */
export async function wrk(folder: string, port: number, workload: Workload, seconds: number): Promise<WrkResult> {
  const script = path.join(folder, `${workload}.lua`)
  fs.writeFileSync(script, `
local hosts = { ${HOSTS.map((host) => `"${host}"`).join(', ')} }
local n, run = 0, "${process.pid}-${runs++}"
function request()
  n = n + 1
  wrk.headers["Host"] = hosts[n % #hosts + 1]
  return wrk.format("GET", ${PATHS[workload]})
end
function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT %d %d %.3f", summary.requests, e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(99) / 1000))
end
`)
  const { stdout } = await promisify(execFile)('taskset', ['-c', '1', 'wrk', '-t', '1', '-c', '16', '-d', `${seconds}s`, '-s', script, `http://127.0.0.1:${port}/`])
  const [, requests, failed, p99Ms] = /RESULT (\d+) (\d+) ([\d.]+)/.exec(stdout) ?? []
  return { requests: Number(requests), failed: Number(failed), p99Ms: Number(p99Ms) }
}
