import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { HOSTS } from './proxy-under-test.ts'

/** `refused`: answers of 400 and above; `failed` counts them too. */
export type WrkResult = { requests: number; failed: number; refused: number; p99Ms: number }
/** `path` is a Lua expression; `n` counts the requests of the run, `run` is another in every run. */
export type WrkLoad = {
  folder: string
  port: number
  path: string
  seconds: number
  hosts?: readonly string[]
  connections?: number
  /** Lua expressions of further header fields. */ headers?: Readonly<Record<string, string>>
  /** A Lua expression of what is posted; without it nothing is. */ body?: string
}

let runs = 0

/**
 * One run of wrk with 16 connections unless more are wanted, on the last core when there are two so that client and
 * server do not share one.
 */
export async function wrk({
  folder,
  port,
  path: target,
  seconds,
  hosts = HOSTS,
  connections = 16,
  headers = {},
  body,
}: WrkLoad): Promise<WrkResult> {
  const script = path.join(folder, 'load.lua')
  fs.writeFileSync(
    script,
    `
local hosts = { ${hosts.map((host) => `"${host}"`).join(', ')} }
local n, run = 0, "${process.pid}-${runs++}"
function request()
  n = n + 1
  wrk.headers["Host"] = hosts[n % #hosts + 1]
${Object.entries(headers)
  .map(([name, value]) => `  wrk.headers["${name}"] = ${value}`)
  .join('\n')}
  return wrk.format("${body === undefined ? 'GET' : 'POST'}", ${target}, nil, ${body ?? 'nil'})
end
function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT %d %d %d %.3f", summary.requests, e.connect + e.read + e.write + e.status + e.timeout, e.status, latency:percentile(99) / 1000))
end
`,
  )
  const { stdout } = await promisify(execFile)('taskset', [
    '-c',
    '1',
    'wrk',
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '-s',
    script,
    `http://127.0.0.1:${port}/`,
  ])
  const [, requests, failed, refused, p99Ms] = /RESULT (\d+) (\d+) (\d+) ([\d.]+)/.exec(stdout) ?? []
  return { requests: Number(requests), failed: Number(failed), refused: Number(refused), p99Ms: Number(p99Ms) }
}
