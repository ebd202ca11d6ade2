import { isSignedFor } from '../dnssec/set-signatures.ts'
import type { Arena } from './arena.ts'
import type { Chain, Signing } from './node-blocks.ts'
import { standsAlone } from './records.ts'
import type { ReadSets, RecordSet, TreeNode } from './zone-tree.ts'

/**
 * How long signed nodes are copied: their signatures may be a week old when they are made, a zone that nobody changes is
 * signed anew after another week, and they last three.
 */
const SIGNED_COPIED_MS = 3 * 86_400_000

/** A node as it was compiled: what it was made of, where it stands, and when the oldest of it was signed. */
type Former = { sets: readonly RecordSet[]; next: Uint8Array | undefined; at: number; end: number; madeAt: number }

/**
 * What one zone was last compiled to, so that after a patch a node whose sets are the same objects, and whose neighbour
 * in the chain of denials is the same, is copied and not made. Nodes that hold anything of other nodes (a delegation,
 * addresses that go along) or of policies are made each time.
 */
export class FormerNodes {
  /** Sets as they were read; see `ReadSets`. */
  readonly read: ReadSets = new WeakMap()
  readonly #clock: () => number
  #nodes = new Map<string, Former>()
  #bytes: Uint8Array | null = null
  #making = new Map<string, Former>()
  #made: { tag: number | null; ttlSeconds: number } | null = null
  #now: { tag: number | null; chain: Chain; isCopied: boolean } | null = null

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** A compilation begins: under another key or lifetime of denials nothing of the last one can stay. */
  begin(signing: Signing | null, chain: Chain): void {
    const tag = signing?.signer.tag ?? null
    const isCopied = this.#made?.tag === tag && this.#made.ttlSeconds === chain.ttlSeconds
    this.#now = { tag, chain, isCopied }
    this.#making = new Map()
  }

  /** Where the node stands now when it could be copied; 0 when it has to be made. */
  copy(node: TreeNode, arena: Arena): number {
    const now = this.#now
    const former = now?.isCopied ? this.#nodes.get(node.label) : undefined
    if (!now || !former || !this.#bytes || !isPlain(node)) return 0
    if (now.tag !== null && !isSignedFor(former.madeAt, this.#clock(), SIGNED_COPIED_MS)) return 0
    if (!isSameName(former.next, now.chain.next.get(node)) || !isSameSets(former.sets, node)) return 0
    const at = arena.put(this.#bytes.subarray(former.at, former.end))
    this.#making.set(node.label, { ...former, at, end: arena.length })
    return at
  }

  note(node: TreeNode, at: number, end: number): void {
    if (!isPlain(node) || this.#making.has(node.label)) return
    const sets = [...node.sets.values()]
    this.#making.set(node.label, { sets, next: this.#now?.chain.next.get(node), at, end, madeAt: this.#clock() })
  }

  /** It is done; one that failed changes nothing. */
  end(bytes: Uint8Array): void {
    if (this.#now) this.#made = { tag: this.#now.tag, ttlSeconds: this.#now.chain.ttlSeconds }
    this.#now = null
    this.#nodes = this.#making
    this.#making = new Map()
    this.#bytes = bytes
  }
}

/** Made of nothing but its own sets. */
function isPlain(node: TreeNode): boolean {
  if (node.cut || node.occluded || node.steered !== null || node.alias || node.transferred.length > 0) return false
  for (const set of node.sets.values()) if (!standsAlone(set)) return false
  return true
}

function isSameSets(former: readonly RecordSet[], { sets }: TreeNode): boolean {
  if (former.length !== sets.size) return false
  let at = 0
  for (const set of sets.values()) if (former[at++] !== set) return false
  return true
}

const isSameName = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0)
