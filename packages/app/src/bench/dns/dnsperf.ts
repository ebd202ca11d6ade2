import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export type Load = { port: number; queries: string; seconds: number; queriesPerSecond?: number }
export type LoadResult = { sent: number; answered: number; perSecond: number }

/**
 * One run of dnsperf against 127.0.0.1, on the last core when there are two or more so that client and server do not
 * share one.
 */
export async function dnsperf({ port, queries, seconds, queriesPerSecond }: Load): Promise<LoadResult> {
  const words = [
    '-c',
    '1',
    'dnsperf',
    '-B',
    '-s',
    '127.0.0.1',
    '-p',
    String(port),
    '-d',
    queries,
    '-l',
    String(seconds),
    '-c',
    '8',
    '-q',
    '200',
    '-t',
    '2',
    ...(queriesPerSecond ? ['-Q', String(queriesPerSecond)] : []),
  ]
  const { stdout } = await promisify(execFile)('taskset', words)
  const number = (label: string) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(stdout)?.[1] ?? Number.NaN)
  return {
    sent: number('Queries sent'),
    answered: number('Queries completed'),
    perSecond: number('Queries per second'),
  }
}
