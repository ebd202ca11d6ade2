import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type BeaconSettings, PulseRegistration } from '@fairway/contract'
import type { Log } from '@fairway/platform'
import { LateFile } from './late-file.ts'

export type PulseKey = {
  organizationId: string
  /** Epoch ms when it ends; null is the key of today. */
  until: number | null
  hosts: readonly string[]
  settings: BeaconSettings
  /** What is measured: true when its test object is the organisation's own. */
  cdns: ReadonlyMap<string, boolean>
}

/**
 * Which beacon keys exist and what they stand for; kept on disk, so a collector that starts without the API knows them.
 */
export class PulseKeys implements Disposable {
  readonly #file: LateFile
  readonly #keys = new Map<string, PulseKey>()
  readonly #organizations = new Map<string, PulseRegistration>()

  constructor(folder: string, log: Log) {
    const file = path.join(folder, 'pulse.json')
    this.#file = new LateFile(file, () => [...this.#organizations.values()], log)
    if (!fs.existsSync(file)) return
    try {
      for (const one of PulseRegistration.array().parse(JSON.parse(fs.readFileSync(file, 'utf8')))) this.#set(one)
    } catch (error) {
      log.error({ event: 'collector.pulse-keys-damaged', file, err: error })
    }
  }

  get(key: string): PulseKey | undefined {
    return this.#keys.get(key)
  }

  /** What an organisation has now replaces all that it had. Everything comes again every few minutes. */
  register(registration: PulseRegistration): void {
    const held = this.#organizations.get(registration.organizationId)
    if (held === undefined ? registration.settings === null : isDeepStrictEqual(held, registration)) return
    this.#set(registration)
    this.#file.changed()
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]()
  }

  #set(registration: PulseRegistration): void {
    const { organizationId, keys, hosts, settings } = registration
    for (const { key } of this.#organizations.get(organizationId)?.keys ?? []) this.#keys.delete(key)
    this.#organizations.delete(organizationId)
    if (settings === null) return
    this.#organizations.set(organizationId, registration)
    const cdns = new Map(settings.targets.map(({ c, o }) => [c, o === 1]))
    for (const { key, until } of keys) this.#keys.set(key, { organizationId, until, hosts, settings, cdns })
  }
}
