import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import { patchedZone } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

/** What a node follows. `patches`: of a large zone that it has had whole it is sent the patch alone. */
export type Followed = { kinds: ReadonlySet<string>; patches: boolean }

/** One publication as it goes out, its JSON written once for all nodes. */
type Recent = {
  revision: number
  kind: string
  key: string
  /** Null for what is so large that whoever needs it reads it. */
  json: string | null
  /** Of a zone that was patched: who has its whole of that revision can take `json`, others need it whole. */
  wholeSince: number | null
  /** A later one of the same kind and key is there. */
  isReplaced: boolean
}

type Row = { revision: number; kind: string; key: string; version: number; body: string | null; patch: string | null }
/** `isLong`: so large that it is not read here at all. */
type RecentRow = Row & { base_revision: number | null; isLong: boolean }

/** Rows of one read. */
const BATCH = 100
/** Sets of large zones in one read of what a node has missed, where it is more than one zone. */
const MOST_SETS = 100_000
const MOST_BYTES = 32 * 2 ** 20
/** Of all that is kept, the largest share of one publication. */
const LARGEST_SHARE = 1 / 4
/** A zone of so many sets takes more than that. */
const LONG_SETS = 200_000

/**
 * The newest publications, read once and written once for all nodes that are up to date: a thousand of them cost one
 * query for a change, and no query while nothing happens. Bounded in bytes; a node that is further behind reads for
 * itself.
 */
export class RecentPublications {
  /** Everything after this revision is in `#entries`. */
  #since: number
  #until: number
  #entries: Recent[] = []
  #byKey = new Map<string, Recent>()
  #bytes = 0
  #replaced = 0
  readonly #mostBytes: number

  constructor(revision: number, mostBytes = MOST_BYTES) {
    this.#since = this.#until = revision
    this.#mostBytes = mostBytes
  }

  get until(): number {
    return this.#until
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Whether everything newer than the cursor is here. */
  reaches(cursor: number): boolean {
    return cursor >= this.#since
  }

  /** What was published since the last read. Answers whether there may be more. */
  async read(tx: Tx): Promise<boolean> {
    const rows = await tx.query<RecentRow>(
      `SELECT revision, kind, key, version, CASE WHEN patch IS NULL AND NOT "isLong" THEN body::text END AS body, patch::text, base_revision, "isLong"
       FROM (SELECT *, patch IS NULL AND coalesce(sets, 0) >= $3 AS "isLong" FROM publication WHERE revision > $1 ORDER BY revision LIMIT $2) p ORDER BY revision`,
      [this.#until, BATCH, LONG_SETS],
    )
    for (const row of rows) this.#add(row)
    return rows.length === BATCH
  }

  #add(row: RecentRow): void {
    const { revision, kind, key } = row
    const json = row.isLong ? null : jsonOf(row)
    const entry: Recent = {
      revision,
      kind,
      key,
      json: json !== null && json.length <= this.#mostBytes * LARGEST_SHARE ? json : null,
      wholeSince: row.patch === null ? null : row.base_revision,
      isReplaced: false,
    }
    const before = this.#byKey.get(`${kind} ${key}`)
    if (before) this.#drop(before)
    this.#entries.push(entry)
    this.#byKey.set(`${kind} ${key}`, entry)
    this.#bytes += bytesOf(entry)
    this.#until = revision
    let forgotten = 0
    for (; this.#bytes > this.#mostBytes && forgotten < this.#entries.length - 1; forgotten++) {
      const oldest = this.#entries[forgotten] as Recent
      this.#since = oldest.revision
      if (oldest.isReplaced) this.#replaced--
      else {
        this.#bytes -= bytesOf(oldest)
        this.#byKey.delete(`${oldest.kind} ${oldest.key}`)
      }
    }
    if (forgotten > 0) this.#entries.splice(0, forgotten)
    if (this.#replaced > 1_000 && this.#replaced > this.#entries.length / 2) {
      this.#entries = this.#entries.filter((one) => !one.isReplaced)
      this.#replaced = 0
    }
  }

  #drop(entry: Recent): void {
    entry.isReplaced = true
    this.#bytes -= bytesOf(entry)
    entry.json = null
    this.#replaced++
  }

  /** What is newer than the cursor and wanted, oldest first; where `json` is null, `whole` reads it. */
  after(cursor: number, { kinds, patches }: Followed): Pick<Recent, 'revision' | 'kind' | 'key' | 'json'>[] {
    return this.#entries
      .slice(this.#firstAfter(cursor))
      .filter(({ isReplaced, kind }) => !isReplaced && kinds.has(kind))
      .map(({ revision, kind, key, json, wholeSince }) => ({
        revision,
        kind,
        key,
        json: wholeSince === null || (patches && wholeSince <= cursor) ? json : null,
      }))
  }

  #firstAfter(cursor: number): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle] as Recent).revision > cursor) high = middle
      else low = middle + 1
    }
    return low
  }
}

const bytesOf = ({ json }: Recent): number => json?.length ?? 0

/** The revision up to which everything is published, once and for all: revisions are given out and committed in order. */
export async function newestRevision(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ revision: number }>('SELECT revision FROM publication_counter')
  return row?.revision ?? 0
}

/**
 * What a node that is far behind has missed, oldest first, as it goes out; `BATCH` at most, and no more large zones
 * than fit in memory beside each other. None where it has everything.
 */
export async function missed(
  tx: Tx,
  cursor: number,
  { kinds, patches }: Followed,
): Promise<{ revision: number; json: string }[]> {
  const rows = await tx.query<Row>(
    `SELECT revision, kind, key, version, CASE WHEN patch IS NULL OR NOT $4 OR base_revision > $1 THEN body::text END AS body, patch::text FROM publication
     WHERE revision IN (
       SELECT revision FROM (
         SELECT revision, own, sum(own) OVER (ORDER BY revision) AS total FROM (
           SELECT revision, coalesce(sets, 0) AS own FROM publication WHERE revision > $1 AND kind = ANY($2) ORDER BY revision LIMIT $3
         ) next
       ) counted WHERE total <= $5 OR total = own
     ) ORDER BY revision`,
    [cursor, [...kinds], BATCH, patches, MOST_SETS],
  )
  return rows.map((row) => ({ revision: row.revision, json: jsonOf(row) }))
}

/** One whole as it is now; under the revision that it is asked for, so that nothing after that is passed over. */
export async function whole(
  tx: Tx,
  { kind, key, revision }: { kind: string; key: string; revision: number },
): Promise<string | null> {
  const [row] = await tx.query<Row>(
    `SELECT revision, kind, key, version, body::text, patch::text FROM publication WHERE kind = $1 AND key = $2`,
    [kind, key],
  )
  return row ? jsonOf({ ...row, revision }) : null
}

/** The envelope of `Publication`. A whole that has been patched since is written as it is now. */
function jsonOf({ revision, kind, key, version, body, patch }: Row): string {
  const head = `{"revision":${revision},"kind":${JSON.stringify(kind)},"key":${JSON.stringify(key)},"version":${version}`
  if (patch === null) return `${head},"body":${body ?? 'null'}}`
  if (body === null) return `${head},"body":null,"patch":${patch}}`
  return `${head},"body":${JSON.stringify(patchedZone(JSON.parse(body) as DnsZone, JSON.parse(patch) as DnsZonePatch))}}`
}
