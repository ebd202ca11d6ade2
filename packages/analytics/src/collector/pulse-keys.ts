import fs from 'node:fs'
import path from 'node:path'
import { type BeaconSettings, PulseRegistration } from '@fairway/contract'
import type { Log } from '@fairway/platform'

export type PulseKey = { organizationId: string; settings: BeaconSettings; cdnIds: ReadonlySet<string> }

/**
 * Which beacon keys exist and what they stand for; kept on disk, so a collector that starts without the API knows them.
 */
export class PulseKeys {
  readonly #file: string
  readonly #keys = new Map<string, PulseKey>()

  constructor(folder: string, log: Log) {
    this.#file = path.join(folder, 'pulse.json')
    if (!fs.existsSync(this.#file)) return
    try {
      for (const one of PulseRegistration.array().parse(JSON.parse(fs.readFileSync(this.#file, 'utf8')))) this.#set(one)
    } catch (error) {
      log.error({ event: 'collector.pulse-keys-damaged', file: this.#file, err: error })
    }
  }

  get(key: string): PulseKey | undefined {
    return this.#keys.get(key)
  }

  /** An organisation has one key: a new one replaces its old one. */
  register(registration: PulseRegistration): void {
    for (const [key, known] of this.#keys)
      if (known.organizationId === registration.organizationId) this.#keys.delete(key)
    this.#set(registration)
    const kept = [...this.#keys].map(([key, { organizationId, settings }]) => ({ key, organizationId, settings }))
    fs.mkdirSync(path.dirname(this.#file), { recursive: true })
    fs.writeFileSync(`${this.#file}.new`, JSON.stringify(kept))
    fs.renameSync(`${this.#file}.new`, this.#file)
  }

  #set({ key, organizationId, settings }: PulseRegistration): void {
    if (settings === null) this.#keys.delete(key)
    else this.#keys.set(key, { organizationId, settings, cdnIds: new Set(settings.targets.map((target) => target.c)) })
  }
}
