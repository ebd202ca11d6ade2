import { startStore } from '@fairway/analytics'
import {
  BackupError,
  Chain,
  type Config,
  type Log,
  proofOf,
  readLsn,
  segmentStart,
  startEmbeddedDatabase,
} from '@fairway/platform'
import { type Proof, checkAuditLogs, compare, inThrownAwayHome } from '../verify-backup.ts'
import { isNoted, logPart, noteContent, rangesOf, stretchOf } from './chain-content.ts'
import { fillHome, findBase } from './restore-base.ts'

export type ChainProof = Proof & { file: string; from: string; until: string; logParts: number }

/**
 * Proves a backup of a chain: restores it into a home that is thrown away to the very moment whose rows were counted,
 * reads everything out of the engines there and compares; then opens every piece of the log after it, so that the
 * seconds that are promised are there.
 * @throws BackupError that says what differs, or names what is missing or damaged
 */
export async function proveBase(given: {
  place: string
  id: string
  /** Null is the newest. */
  key: string | null
  passphrase: string
  config: Config
  log: Log
}): Promise<ChainProof> {
  const { config, log, place } = given
  const startedAt = performance.now()
  await using chain = await Chain.open(place, config, given.id, given.passphrase)
  const { content, kept } = await findBase(chain, given.key)
  const { base } = kept
  const stretch = stretchOf(chain, kept, content.stretches)
  const logBytes = stretch ? Number(stretch.to - segmentStart(readLsn(base.start), chain.facts.segmentBytes)) : 0
  const counted = await inThrownAwayHome(config, base.wholeBytes + logBytes, async (own, room) => {
    const listing = await fillHome({
      chain,
      content: { ...content, bases: [kept] },
      kept,
      target: { name: base.point.name },
      config: own,
      log,
      room,
    })
    await using _database = await startEmbeddedDatabase({ config: own, log })
    await using _store = await startStore({ config: own, log })
    await compare(own, { at: base.at, tables: listing.tables, zones: listing.zones })
    return { listing, auditLogs: await checkAuditLogs(own, log) }
  })
  for (const part of stretch?.parts ?? []) {
    const { bytes } = await logPart(chain, part)
    if (BigInt(bytes.length) !== part.to - part.from)
      throw new BackupError(`${chain.storage.address(part.key)} is not the part of the log that its name says.`)
  }
  const range = (await rangesOf(chain, { ...content, bases: [kept] }))[0]
  const proof: ChainProof = {
    file: chain.storage.address(kept.key),
    at: base.at,
    tables: Object.keys(counted.listing.tables).length,
    rows: base.rows,
    zones: Object.keys(counted.listing.zones).length,
    auditLogs: counted.auditLogs,
    from: base.at,
    until: new Date(range?.until ?? Date.parse(base.at)).toISOString(),
    logParts: stretch?.parts.length ?? 0,
    ms: Math.round(performance.now() - startedAt),
  }
  await chain.storage.put(proofOf(kept.key), [Buffer.from(`${JSON.stringify(proof)}\n`)])
  if (isNoted(config, place, given.id)) await noteContent(config, place, chain)
  return proof
}
