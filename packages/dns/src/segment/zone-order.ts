import { labelStarts } from '../wire/name.ts'
import type { TreeNode } from './zone-tree.ts'

/** Nodes in the order of their names (RFC 4034 6.1): by labels from the right, a name before those below it. */
export function inZoneOrder(nodes: readonly TreeNode[]): TreeNode[] {
  const keyed = nodes.map((node) => ({
    node,
    labels: labelStarts(node.name)
      .slice(0, -1)
      .reverse()
      .map((start) => node.name.subarray(start + 1, start + 1 + (node.name[start] ?? 0))),
  }))
  keyed.sort((a, b) => compareLabels(a.labels, b.labels))
  return keyed.map(({ node }) => node)
}

function compareLabels(a: readonly Uint8Array[], b: readonly Uint8Array[]): number {
  for (const [index, label] of a.entries()) {
    const other = b[index]
    if (!other) return 1
    const order = Buffer.compare(label, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}
