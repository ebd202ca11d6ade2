import { type ChildProcess, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import fs from 'node:fs'
import path from 'node:path'
import dnsPacket from 'dns-packet'
import type { GeoRange } from './geo-ranges.ts'

export type Kind = 'static' | 'steering'
export type Setting = {
  folder: string
  port: number
  zoneFile: string
  records: number
  ranges: readonly GeoRange[]
  geoDatabase: string
}

/** A name server that the benchmark starts, loads and ends. */
export type ServerUnderTest = {
  name: string
  kinds: readonly Kind[]
  /** Absent when its program is not installed. */
  program: string
  /** Writes its configuration into the folder and answers the command that runs it in the foreground. */
  prepare(
    kind: Kind,
    setting: Setting,
  ): Promise<{
    command: string
    words: string[]
    env?: Record<string, string | undefined>
    dispose?: () => Promise<void>
  }>
}

export type RunningServer = AsyncDisposable & { name: string; pid: number; port: number }

/** Starts a server on the first core and waits until it answers the probe name. */
export async function startServer(
  server: ServerUnderTest,
  kind: Kind,
  setting: Setting,
  probe: { name: string; type: string },
): Promise<RunningServer> {
  fs.mkdirSync(setting.folder, { recursive: true })
  const { command, words, env, dispose } = await server.prepare(kind, setting)
  const log = fs.openSync(path.join(setting.folder, 'server.log'), 'a')
  const child = spawn('taskset', ['-c', '0', command, ...words], {
    stdio: ['ignore', log, log],
    ...(env ? { env } : {}),
  })
  fs.closeSync(log)
  await answers(child, server.name, setting, probe)
  return {
    name: server.name,
    pid: child.pid ?? 0,
    port: setting.port,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      if (child.exitCode === null) await ended
      clearTimeout(timer)
      await dispose?.()
    },
  }
}

async function answers(
  child: ChildProcess,
  name: string,
  { port, folder }: Setting,
  probe: { name: string; type: string },
): Promise<void> {
  const query = dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: probe.type, name: probe.name }] })
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break
    if (await answered(port, query)) return
  }
  throw new Error(
    `${name} did not answer ${probe.name}; see ${path.join(folder, 'server.log')}:\n${fs.readFileSync(path.join(folder, 'server.log'), 'utf8').slice(-1500)}`,
  )
}

function answered(port: number, query: Buffer): Promise<boolean> {
  const socket = dgram.createSocket('udp4')
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), 200)
    socket.on('message', (message) => {
      clearTimeout(timer)
      resolve(dnsPacket.decode(message).answers.length !== 0)
    })
    socket.on('error', () => {})
    socket.send(query, port, '127.0.0.1')
  }).finally(() => socket.close())
}
