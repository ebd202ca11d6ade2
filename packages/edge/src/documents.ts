import fs from 'node:fs'
import path from 'node:path'
import {
  EdgeCertificates,
  EdgeChallenges,
  EdgePages,
  EdgePurges,
  EdgeSecurity,
  EdgeSimulatedCdn,
  EdgeSite,
} from '@fairway/contract'
import type { PublicationKind } from '@fairway/contract'
import type { Log } from '@fairway/platform'
import type { z } from 'zod'

const KINDS = {
  sites: EdgeSite,
  cdns: EdgeSimulatedCdn,
  purges: EdgePurges,
  certificates: EdgeCertificates,
  challenges: EdgeChallenges,
  pages: EdgePages,
  security: EdgeSecurity,
} as const
export type DocumentKind = keyof typeof KINDS
export type DocumentOf<K extends DocumentKind> = z.infer<(typeof KINDS)[K]>

/** What is published becomes these. */
export const KIND_OF = {
  sites: 'edge-site',
  cdns: 'simulated-cdn',
  purges: 'edge-purges',
  certificates: 'edge-certificates',
  challenges: 'edge-challenges',
  pages: 'edge-pages',
  security: 'edge-security',
} as const satisfies Record<DocumentKind, PublicationKind>

export type DocumentFolder = {
  load<K extends DocumentKind>(kind: K): Map<string, DocumentOf<K>>
  /** Everything that is there, as it was published. */
  held(): { kind: PublicationKind; key: string }[]
  save<K extends DocumentKind>(kind: K, key: string, document: DocumentOf<K> | null): void
}

/** The last good documents on disk: with them the edge serves when it starts and the API is away. */
export function documentFolder(home: string, log: Log): DocumentFolder {
  const root = path.join(home, 'nodes', 'edge')
  for (const kind of Object.keys(KINDS)) fs.mkdirSync(path.join(root, kind), { recursive: true, mode: 0o700 })
  const load = <K extends DocumentKind>(kind: K): Map<string, DocumentOf<K>> =>
    new Map(
      fs
        .readdirSync(path.join(root, kind))
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => readOne(kind, path.join(root, kind, name), log)),
    )
  return {
    load,
    held: () =>
      (Object.keys(KINDS) as DocumentKind[]).flatMap((kind) =>
        [...load(kind).keys()].map((key) => ({ kind: KIND_OF[kind], key })),
      ),
    /** Replaces by one rename, so that a crash leaves the old or the new document; null removes it. */
    save(kind, key, document) {
      const file = path.join(root, kind, `${encodeURIComponent(key).slice(0, 200)}.json`)
      if (document === null) return fs.rmSync(file, { force: true })
      const draft = `${file}.draft`
      fs.writeFileSync(draft, JSON.stringify({ key, document }), { mode: 0o600 })
      fs.renameSync(draft, file)
    },
  }
}

function readOne<K extends DocumentKind>(kind: K, file: string, log: Log): [string, DocumentOf<K>][] {
  try {
    const { key, document } = JSON.parse(fs.readFileSync(file, 'utf8')) as { key: string; document: unknown }
    return [[key, KINDS[kind].parse(document) as DocumentOf<K>]]
  } catch (error) {
    // It comes again with the feed; the others are good.
    log.error({ event: 'document.damaged', file, err: error })
    return []
  }
}
