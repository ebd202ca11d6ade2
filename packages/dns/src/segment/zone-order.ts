import { labelStarts } from '../wire/name.ts'
import type { TreeNode } from './zone-tree.ts'

/** Nodes in the order of their names (RFC 4034 6.1): by labels from the right, a name before those below it. */
export function inZoneOrder<Named extends Pick<TreeNode, 'name'>>(nodes: readonly Named[]): Named[] {
  const keyed = nodes.map((node) => ({ node, labels: labelsOf(node.name) }))
  keyed.sort((a, b) => compareLabels(a.labels, b.labels))
  return keyed.map(({ node }) => node)
}

/** Labels of a wire name from the right. */
export const labelsOf = (name: Uint8Array): Uint8Array[] =>
  labelStarts(name)
    .slice(0, -1)
    .reverse()
    .map((start) => name.subarray(start + 1, start + 1 + (name[start] ?? 0)))

export function compareLabels(a: readonly Uint8Array[], b: readonly Uint8Array[]): number {
  for (const [index, label] of a.entries()) {
    const other = b[index]
    if (!other) return 1
    const order = Buffer.compare(label, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}
