import fs from 'node:fs'
import path from 'node:path'
import { type NodeRole, type ProbeResult, type ProbeTarget, ProbeTargets } from '@fairway/contract'
import { hasSeveralCollectors } from '../collectors.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { OutgoingGate } from '../outgoing/gate.ts'
import { probeCdn } from './probe-cdn.ts'
import { type ProbeOutcome, probeOnce } from './probe-once.ts'
import { type ProbePost, postProbes } from './post-probes.ts'

export type ProberOptions = {
  config: Config
  role: NodeRole
  gate: OutgoingGate
  log: Log
  /** Takes results at once; without it they are posted to the collectors. */
  onResult?: (node: string, results: ProbeResult[]) => void
  /** Posts them too: who takes them does not keep them. */
  alsoPosts?: boolean
}

export type Prober = AsyncDisposable & {
  /**
   * Replaces the organisation's targets; they are kept on disk, so that a node started without the API goes on probing.
   */
  targets(targets: ProbeTargets): void
  /** Those that have targets. */
  organizations(): Iterable<string>
}

const TIMEOUT_MS = 2000
const KEEP_AFTER_MS = 100
/** For so much of an interval a name's outcome stands for all who ask for it: the CDN's own round and those beside. */
const SHARED_FOR = 0.8

/**
 * Probes every target each `probeIntervalMs`, give or take a tenth so that nodes do not march in step, with at most one
 * probe of a target in flight.
 * @returns disposing stops the probes in flight too
 */
export function startProber({ config, role, gate, log, onResult, alsoPosts = false }: ProberOptions): Prober {
  const node = `${config.nodeName}/${role}`
  const stopping = new AbortController()
  const ways = { timeoutMs: TIMEOUT_MS, serviceDomain: config.serviceDomain, gate }
  const isKept = onResult !== undefined && !alsoPosts
  const post: ProbePost | null = isKept && !hasSeveralCollectors(config) ? null : postProbes(config, node, log, isKept)
  const rounds = new Map<string, { target: ProbeTarget; timer: NodeJS.Timeout | null }>()
  const documents = new Map<string, ProbeTargets>()
  const keysOf = new Map<string, string[]>()
  const kept = path.join(config.home, 'nodes', role, 'probe-targets.json')

  // One connection for each name of a CDN in an interval, however many ask: an organisation has a rate to keep to.
  const asked = new Map<string, Map<string, { at: number; outcome: Promise<ProbeOutcome>; isOpen: boolean }>>()

  const probeShared = (organizationId: string, target: ProbeTarget): Promise<ProbeOutcome> => {
    const ofAll = asked.get(organizationId) ?? new Map<never, never>()
    asked.set(organizationId, ofAll)
    const key = `${target.cdnId} ${target.host}`
    const now = performance.now()
    const known = ofAll.get(key)
    if (known && (known.isOpen || now - known.at < SHARED_FOR * config.probeIntervalMs)) return known.outcome
    const sender = { organizationId, purpose: 'probe' } as const
    const outcome = probeOnce(target, { ...ways, sender }, stopping.signal)
    const entry = { at: now, outcome, isOpen: true }
    ofAll.set(key, entry)
    void outcome.then(() => (entry.isOpen = false))
    return outcome
  }

  const round = async (key: string, organizationId: string) => {
    const entry = rounds.get(key)
    if (!entry || stopping.signal.aborted) return
    const started = performance.now()
    const { cdnId } = entry.target
    const beside = (documents.get(organizationId)?.targets ?? []).filter((other) => other.cdnId !== cdnId)
    const outcome = await probeCdn(entry.target, beside, (target) => probeShared(organizationId, target))
    if (stopping.signal.aborted || rounds.get(key) !== entry) return
    // What our own rate has kept from being asked is no word about the CDN.
    if (outcome.refused !== 'too-many') {
      const { ok, rttMs, error } = outcome
      const result = { organizationId, cdnId, at: Date.now(), ok, rttMs, error }
      onResult?.(node, [result])
      post?.add(result)
    }
    const wait = config.probeIntervalMs * (0.9 + Math.random() * 0.2) - (performance.now() - started)
    entry.timer = setTimeout(() => void round(key, organizationId), Math.max(20, wait))
  }

  const apply = ({ organizationId, targets }: ProbeTargets) => {
    const wanted = new Map(targets.map((target) => [`${organizationId} ${target.cdnId}`, target]))
    for (const key of keysOf.get(organizationId) ?? []) {
      if (wanted.has(key)) continue
      const timer = rounds.get(key)?.timer
      if (timer) clearTimeout(timer)
      rounds.delete(key)
    }
    keysOf.set(organizationId, [...wanted.keys()])
    // What was asked before may have led elsewhere.
    asked.delete(organizationId)
    for (const [key, target] of wanted) {
      const entry = rounds.get(key)
      if (entry) entry.target = target
      else {
        const fresh = { target, timer: null as NodeJS.Timeout | null }
        rounds.set(key, fresh)
        fresh.timer = setTimeout(
          () => void round(key, organizationId),
          Math.random() * Math.min(200, config.probeIntervalMs),
        )
      }
    }
    if (targets.length === 0) keysOf.delete(organizationId)
  }

  // A node that starts is told of thousands of organisations at once: the file is written once for them.
  let keeping: NodeJS.Timeout | null = null
  const keepNow = () => {
    keeping = null
    try {
      keep(kept, [...documents.values()])
    } catch (error) {
      // A full disk ends no probes.
      log.warn({ event: 'prober.targets-not-kept', file: kept, err: error })
    }
  }

  for (const document of readKept(kept, log)) {
    documents.set(document.organizationId, document)
    apply(document)
  }
  return {
    targets(document) {
      documents.set(document.organizationId, document)
      if (document.targets.length === 0) documents.delete(document.organizationId)
      keeping ??= setTimeout(keepNow, KEEP_AFTER_MS)
      apply(document)
    },
    organizations: () => documents.keys(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      if (keeping) {
        clearTimeout(keeping)
        keepNow()
      }
      for (const entry of rounds.values()) if (entry.timer) clearTimeout(entry.timer)
      rounds.clear()
      post?.stop()
    },
  }
}

function readKept(file: string, log: Log): ProbeTargets[] {
  if (!fs.existsSync(file)) return []
  try {
    return ProbeTargets.array().parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch (error) {
    log.warn({ event: 'prober.kept-targets-damaged', file, err: error })
    return []
  }
}

function keep(file: string, documents: ProbeTargets[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(`${file}.new`, JSON.stringify(documents))
  fs.renameSync(`${file}.new`, file)
}
