import type { z } from 'zod'
import { controlRequest, type Log, type Tx } from '@fairway/platform'
import { IS_THERE } from '../features/nodes/away.ts'

type EdgeNode = { name: string; control_url: string }

/** Edge nodes that are there and may be asked. */
async function edgeNodes(tx: Tx): Promise<EdgeNode[]> {
  return tx.query<EdgeNode>(
    `SELECT name, control_url FROM node WHERE role = 'edge' AND control_url IS NOT NULL AND ${IS_THERE} ORDER BY name`,
  )
}

/** The word of the first edge node that has one, or null; so many are asked at the most. */
export async function askEdgeNode<T extends z.ZodType>(
  tx: Tx,
  log: Log,
  path: string,
  question: object,
  form: T,
  patienceMs: number,
  most = Infinity,
): Promise<z.output<T> | null> {
  for (const node of (await edgeNodes(tx)).slice(0, most)) {
    const answer = await ask(log, node, path, question, form, patienceMs)
    if (answer !== null) return answer
  }
  return null
}

/** The words of all edge nodes; null stands for one that gave none. */
export async function askEdgeNodes<T extends z.ZodType>(
  tx: Tx,
  log: Log,
  path: string,
  question: object,
  form: T,
  patienceMs: number,
): Promise<(z.output<T> | null)[]> {
  const nodes = await edgeNodes(tx)
  return Promise.all(nodes.map((node) => ask(log, node, path, question, form, patienceMs)))
}

async function ask<T extends z.ZodType>(
  log: Log,
  node: EdgeNode,
  path: string,
  question: object,
  form: T,
  patienceMs: number,
): Promise<z.output<T> | null> {
  try {
    return form.parse(await controlRequest(node.control_url, 'POST', path, question, patienceMs))
  } catch (error) {
    log.info({
      event: 'edge.node-passed',
      node: node.name,
      path,
      why: error instanceof Error ? error.message : String(error),
    })
    return null
  }
}
