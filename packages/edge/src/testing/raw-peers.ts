import { spawn } from 'node:child_process'
import net from 'node:net'
import tls from 'node:tls'
import { EDGE } from './edge-under-test.ts'

export type RawOrigin = AsyncDisposable & { port: number; /** Heads of the requests that came. */ asked: string[] }

/**
 * An origin that does with its connections whatever the test says, once the head of a request has come. With a
 * certificate it speaks TLS.
 */
export async function rawOrigin(
  answer: (socket: net.Socket, head: string, number: number, rest: string) => void,
  certificate?: tls.TlsOptions,
): Promise<RawOrigin> {
  const asked: string[] = []
  const open = new Set<net.Socket>()
  const take = (socket: net.Socket) => {
    open.add(socket)
    let text = ''
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const [head, rest] = [text.slice(0, end), text.slice(end + 4)]
      text = ''
      asked.push(head)
      answer(socket, head, asked.length - 1, rest)
    })
  }
  const server = certificate ? tls.createServer(certificate, take) : net.createServer(take)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An address at which nobody takes connections any more: its queue is full and its process stands still. */
export async function fullQueue(): Promise<AsyncDisposable & { port: number }> {
  const program = `const s = require('net').createServer(); s.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(s.address().port))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  const port = await new Promise<number>((resolve, reject) =>
    child.once('error', reject).stdout.once('data', (data: Buffer) => resolve(Number(data.toString()))),
  )
  child.kill('SIGSTOP')
  const waiting = Array.from({ length: 8 }, () => net.connect(port, '127.0.0.1').on('error', () => {}))
  await new Promise((resolve) => waiting[0]?.once('connect', resolve))
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** What the edge says to these bytes until it closes the connection. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, EDGE)
    let said = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the edge kept the connection open; it had said ${JSON.stringify(said.slice(0, 300))}`))
    }, 20_000)
    const done = () => {
      clearTimeout(timer)
      resolve(said)
    }
    socket.on('data', (data: Buffer) => (said += data.toString('latin1')))
    // The edge may reset what it does not want to read to the end.
    socket.on('error', () => {})
    socket.on('close', done)
    socket.write(Buffer.from(text, 'latin1'))
  })
}
