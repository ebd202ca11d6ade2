import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where the website listens on 127.0.0.1. */
export type OriginAt = { port: number; protocol: 'http' | 'https' }
/** `folder` is the proxy's own; it listens on 127.0.0.1 at `port` and fetches from there. */
export type ProxySetting = { folder: string; port: number; origin: OriginAt }

/** A caching proxy that the benchmark starts, loads and ends. */
export type ProxyUnderTest = {
  name: string
  program: string
  /** Writes its configuration into the folder and answers the command that runs it in the foreground. */
  prepare(setting: ProxySetting): Promise<{
    command: string
    words: string[]
    env?: Record<string, string | undefined>
    dispose?: () => Promise<void>
    /** The process whose CPU and memory count, where that is not the command's own. */ proxyPid?: () => number
  }>
}

export type RunningProxy = AsyncDisposable & {
  name: string
  port: number
  pid: number
  /** Of the proxy itself; the same as `pid` for most. */ proxyPid: number
}

export const HOSTS = Array.from({ length: 50 }, (_, i) => `www.d${i}.bench.test`)
/** Long enough for 5,000 domains to be taken. */
const START_MS = 60_000

/** Starts a proxy on the first core and waits until it passes on what the origin says. */
export async function startProxy(proxy: ProxyUnderTest, setting: ProxySetting): Promise<RunningProxy> {
  fs.mkdirSync(setting.folder, { recursive: true, mode: 0o755 })
  const { command, words, env, dispose, proxyPid } = await proxy.prepare(setting)
  const log = fs.openSync(path.join(setting.folder, 'proxy.log'), 'a')
  const child = spawn('taskset', ['-c', '0', command, ...words], {
    stdio: ['ignore', log, log],
    ...(env ? { env } : {}),
  })
  fs.closeSync(log)
  const end = async () => {
    await ended(child)
    await dispose?.()
  }
  try {
    await serves(child, proxy.name, setting)
  } catch (error) {
    await end()
    throw error
  }
  const pid = child.pid ?? 0
  return { name: proxy.name, port: setting.port, pid, proxyPid: proxyPid?.() ?? pid, [Symbol.asyncDispose]: end }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await over
  clearTimeout(timer)
}

async function serves(child: ChildProcess, name: string, { port, folder }: ProxySetting): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    if ((await answerOf(port, HOSTS.at(-1) ?? '', '/probe').catch(() => null))?.status === 200) return
    await sleep(50)
  }
  throw new Error(
    `${name} does not serve; see ${folder}/proxy.log:\n${fs.readFileSync(path.join(folder, 'proxy.log'), 'utf8').slice(-1500)}`,
  )
}

export type Answer = { status: number; cache: string }

/** One request on a connection of its own, or of the agent's. */
export function answerOf(
  port: number,
  host: string,
  target: string,
  agent: http.Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { host: '127.0.0.1', port, path: target, headers: { host }, agent, timeout: 5_000 },
      (response) => {
        response.resume()
        response
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, cache: String(response.headers['x-cache'] ?? '') }),
          )
          .on('error', reject)
      },
    )
    request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer')))
  })
}
