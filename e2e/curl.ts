import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const FILE = '/usr/bin/curl'
/** Written by curl after the body; no page of ours holds it. */
const MARK = '\n--curl--'

export type Fetched = { status: number; headers: Headers; body: string; ms: number }

/**
 * What curl gets from an address when it asks for a host there. @throws Error with curl's exit code when there was no
 * answer
 */
export async function curl(url: string, host: string, ...options: string[]): Promise<Fetched> {
  const { stdout } = await promisify(execFile)(
    FILE,
    [
      '--silent',
      '--include',
      '--max-time',
      '30',
      '--write-out',
      `${MARK}%{http_code} %{time_total}`,
      '--header',
      `Host: ${host}`,
      ...options,
      url,
    ],
    { maxBuffer: 16 << 20 },
  )
  const cut = stdout.lastIndexOf(MARK)
  const [status, seconds] = stdout
    .slice(cut + MARK.length)
    .split(' ')
    .map(Number)
  const split = stdout.indexOf('\r\n\r\n')
  const headers = stdout
    .slice(0, split)
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  return {
    status: status ?? 0,
    headers: new Headers(headers),
    body: stdout.slice(split + 4, cut),
    ms: (seconds ?? 0) * 1000,
  }
}
