import fs from 'node:fs'
import path from 'node:path'
import { identityOf, livesStill, type Log, type ProcessIdentity } from '@fairway/platform/lean'

type Kept = { addresses: string[]; processes: (ProcessIdentity & { name: string })[] }

/**
 * The processes of this node, on disk: a manager that comes after one that was killed knows by it whose address it is
 * that is taken, and whom to tell to leave.
 */
export class ProcessFile {
  /** Of the manager before, and still alive. */
  readonly former: readonly (ProcessIdentity & { name: string })[]
  readonly #file: string
  readonly #formerAddresses: readonly string[]
  readonly #log: Log
  #addresses: string[] = []
  #own: Kept['processes'] = []

  constructor(folder: string, log: Log) {
    this.#file = path.join(folder, 'processes.json')
    this.#log = log
    const { addresses, processes } = read(this.#file)
    this.former = processes.filter(livesStill)
    this.#formerAddresses = addresses
  }

  /** Whether an address (`udp 127.0.0.1 53`) is held by servers of the manager before. */
  wasOurs(address: string): boolean {
    return this.#formerAddresses.includes(address) && this.former.some(({ name }) => name === 'server')
  }

  /** What is answered at from now on. */
  take(addresses: string[]): void {
    this.#addresses = addresses
    this.#write()
  }

  add(pid: number, name: string): void {
    this.#own.push({ ...identityOf(pid), name })
    this.#write()
  }

  remove(pid: number): void {
    this.#own = this.#own.filter((one) => one.pid !== pid)
    this.#write()
  }

  /** With those before as long as they live: who comes next must know of them too. */
  #write(): void {
    const content: Kept = { addresses: this.#addresses, processes: [...this.former.filter(livesStill), ...this.#own] }
    try {
      fs.writeFileSync(`${this.#file}.new`, JSON.stringify(content))
      fs.renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      // A full disk: who comes next waits until these have left by themselves.
      this.#log.error({ event: 'processes.not-kept', err: error })
    }
  }
}

function read(file: string): Kept {
  try {
    // Our own file, replaced whole.
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Kept
  } catch {
    return { addresses: [], processes: [] }
  }
}
