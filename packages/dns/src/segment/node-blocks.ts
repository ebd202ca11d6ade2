import { NSEC, RRSIG, nsecRdata } from '../dnssec/denial.ts'
import type { SetSignatures } from '../dnssec/set-signatures.ts'
import type { ZoneSigner } from '../dnssec/zone-signer.ts'
import { ByteWriter } from '../wire/bytes.ts'
import { TYPE } from '../wire/codes.ts'
import { KIND, VARIANT } from './format.ts'
import { answerBlock, plainBlock, rdataBlock, referralBlock, type Addresses, type RecordBlock } from './records.ts'
import { typeNumber, type RecordSet, type TreeNode } from './zone-tree.ts'

/** What signs a zone while it is built. */
export type Signing = { signer: ZoneSigner; signatures: SetSignatures }

/** How long the denials of a transferred zone live, and who comes after a node in its order (RFC 4034 4.1.1). */
export type Chain = { ttlSeconds: number; next: ReadonlyMap<TreeNode, Uint8Array> }

/** All entries of a node: what is answered there, its signatures, and what goes out in transfers only. */
export function nodeBlocks(tree: Addresses, node: TreeNode, signing: Signing | null, chain: Chain): RecordBlock[] {
  if (node.occluded) return [...node.sets.values()].map((set) => answerBlock(tree, set))
  const signed = signedAt(node, signing)
  const blocks = node.cut
    ? cutBlocks(tree, node, signed)
    : [...node.sets.values()].flatMap((set) => setBlocks(tree, set, signed))
  if (node.alias) blocks.push(plainBlock(KIND.alias, 1, aliasBytes(node.alias)))
  // Beside steering stand addresses only where no CDN is enabled; secondaries are given one or the other.
  for (const set of node.transferred) if (!node.sets.has(set.type)) blocks.push(...transferred(tree, set, signed))
  const next = chain.next.get(node)
  if (signing !== null && next) blocks.push(...denialBlocks(node, next, chain.ttlSeconds, signing))
  return blocks
}

type Signed = ((kind: number, set: RecordSet, variant?: number) => RecordBlock[]) | null

/** Makes the signatures of sets at a node. */
export const signedAt = (node: TreeNode, signing: Signing | null): Signed =>
  signing && ((kind, set, variant = 0) => [signatureBlock(signing, node, set, kind, variant)])

/** A cut has nothing of its own but the referral and what says whether the zone below is signed. */
function cutBlocks(tree: Addresses, node: TreeNode, signed: Signed): RecordBlock[] {
  const servers = node.sets.get('NS')
  const ds = node.sets.get('DS')
  return [...(servers ? [referralBlock(tree, node, servers)] : []), ...(ds ? setBlocks(tree, ds, signed) : [])]
}

/** What one set is answered by. */
export function setBlocks(tree: Addresses, set: RecordSet, signed: Signed): RecordBlock[] {
  if (set.weights === null) return [answerBlock(tree, set), ...(signed?.(KIND.signature, set) ?? [])]
  const variants = set.rdata.flatMap((rdata, index) => {
    const one = { ...set, rdata: [rdata], weights: null }
    const variant = (index + 1) * VARIANT
    return [
      { ...answerBlock(tree, one), type: typeNumber(set) | variant },
      ...(signed?.(KIND.signature, one, variant) ?? []),
    ]
  })
  return [weightsBlock(set, set.weights), ...variants, ...transferred(tree, set, signed)]
}

function transferred(tree: Addresses, set: RecordSet, signed: Signed): RecordBlock[] {
  return [
    { ...answerBlock(tree, { ...set, weights: null }), type: typeNumber(set) | KIND.transfer },
    ...(signed?.(KIND.transferSignature, set) ?? []),
  ]
}

function weightsBlock(set: RecordSet, weights: readonly number[]): RecordBlock {
  const sums = new Int32Array(weights.length)
  let sum = 0
  for (const [index, weight] of weights.entries()) sums[index] = sum += weight
  return plainBlock(typeNumber(set) | KIND.weights, weights.length, new Uint8Array(sums.buffer))
}

/** Seconds, then the name. */
function aliasBytes({ target, ttlSeconds }: NonNullable<TreeNode['alias']>): Uint8Array {
  const out = new ByteWriter()
  // In the order of the file's words, since it is read as one.
  out.put(new Uint8Array(new Int32Array([ttlSeconds]).buffer))
  out.put(target)
  return out.done()
}

function signatureBlock(
  { signer, signatures }: Signing,
  node: TreeNode,
  set: RecordSet,
  kind: number,
  variant: number,
): RecordBlock {
  const rdata = signatures.of(signer, {
    owner: node.name,
    type: typeNumber(set),
    ttlSeconds: set.ttlSeconds,
    rdata: set.rdata,
  })
  return rdataBlock(typeNumber(set) | kind | variant, RRSIG, set.ttlSeconds, rdata)
}

/** The link of the chain of denials at a node, for secondaries: our own denials are made for the question. */
function denialBlocks(node: TreeNode, next: Uint8Array, ttlSeconds: number, signing: Signing): RecordBlock[] {
  const types = node.cut
    ? [TYPE.NS, ...(node.sets.has('DS') ? [TYPE.DS] : [])]
    : [...node.sets.values(), ...node.transferred].map(typeNumber)
  return linkBlocks(node.name, nsecRdata(next, types), ttlSeconds, signing)
}

/** The same from its rdata. */
export function linkBlocks(
  owner: Uint8Array,
  link: Uint8Array,
  ttlSeconds: number,
  { signer, signatures }: Signing,
): RecordBlock[] {
  const rdata = [link]
  const signature = signatures.of(signer, { owner, type: NSEC, ttlSeconds, rdata })
  return [
    rdataBlock(NSEC | KIND.transfer, NSEC, ttlSeconds, rdata),
    rdataBlock(NSEC | KIND.transferSignature, RRSIG, ttlSeconds, signature),
  ]
}
