import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { CHECKOUT } from '../../commands/checkout.ts'

type Program = ChildProcessByStdio<Writable, Readable, null>
const Answer = z.union([z.object({ error: z.string() }), z.object({ value: z.unknown() })])

/** A page with a video and hls.js. What drives it is the tests', above this floor, and so is a program of its own. */
export class RemotePage implements AsyncDisposable {
  readonly #program: Program
  readonly #answers: AsyncIterator<string>

  private constructor(program: Program) {
    this.#program = program
    this.#answers = readline.createInterface({ input: program.stdout })[Symbol.asyncIterator]()
  }

  /** Resolves when it can be used. Words are arguments of Chromium. */
  static async open(...words: string[]): Promise<RemotePage> {
    const program = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', path.join(CHECKOUT, 'e2e/remote-page.ts'), ...words],
      { cwd: CHECKOUT, stdio: ['pipe', 'pipe', 'inherit'] },
    )
    program.stdin.on('error', () => {})
    const page = new RemotePage(program)
    await page.evaluate('1')
    return page
  }

  /** Works an expression out in the page. @throws Error with what the page says when it fails */
  async evaluate<T>(expression: string): Promise<T> {
    return (await this.#ask(expression)) as T
  }

  /** Another page in its place. */
  async renew(): Promise<void> {
    await this.#ask(null)
  }

  async #ask(what: string | null): Promise<unknown> {
    this.#program.stdin.write(`${JSON.stringify(what)}\n`)
    const next = await this.#answers.next()
    if (next.done === true) throw new Error('the browser has ended')
    const answer = Answer.parse(JSON.parse(next.value))
    if ('error' in answer) throw new Error(answer.error)
    return answer.value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#program.exitCode !== null || this.#program.signalCode !== null) return
    const ended = once(this.#program, 'exit')
    this.#program.stdin.end()
    await ended
  }
}
