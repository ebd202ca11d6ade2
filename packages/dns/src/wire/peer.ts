import { isMappedIpv4, parseAddress, type Family } from './address.ts'

const LOOPBACK = 127

/** The address a message came from, reused from message to message. IPv4 mapped into IPv6 counts as IPv4. */
export class Peer {
  /** IPv4 in the first four bytes, the others zero. */
  readonly bytes = new Uint8Array(16)
  /** 0 when the address could not be read. */
  family: Family | 0 = 0

  /** Takes a textual address, an interface suffix (`%eth0`) ignored. */
  setText(text: string): this {
    this.bytes.fill(0)
    this.family = parseAddress(text, this.bytes)
    this.#unmap()
    return this
  }

  /** Takes the address of `family` that stands at `at` in network order. */
  setBytes(from: Uint8Array, at: number, family: Family): this {
    const { bytes } = this
    if (family === 4) {
      // It stands on the query path: what follows is zero already after another such address.
      if (this.family !== 4) bytes.fill(0, 4)
      for (let i = 0; i < 4; i++) bytes[i] = from[at + i] ?? 0
      this.family = 4
      return this
    }
    for (let i = 0; i < 16; i++) bytes[i] = from[at + i] ?? 0
    this.family = 6
    this.#unmap()
    return this
  }

  /** Of this machine: nobody can forge it from outside. */
  isLoopback(): boolean {
    const { bytes, family } = this
    if (family === 4) return bytes[0] === LOOPBACK
    if (family === 0 || bytes[15] !== 1) return false
    for (let i = 0; i < 15; i++) if (bytes[i] !== 0) return false
    return true
  }

  #unmap(): void {
    if (this.family !== 6 || !isMappedIpv4(this.bytes)) return
    this.bytes.copyWithin(0, 12, 16)
    this.bytes.fill(0, 4)
    this.family = 4
  }
}
