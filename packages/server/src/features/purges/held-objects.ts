import { CachedObjects, type CachedObjectsQuestion, type CachedSample, type PurgeKind } from '@fairway/contract'
import type { Context } from '../../http/context.ts'
import { askEdgeNodes } from '../../reconcile/ask-nodes.ts'
import type { AttachedCdn } from './store.ts'

const PATIENCE_MS = 3_000

/** `complete`: all nodes have looked through all that they hold. */
export type HeldObjects = { answers: CachedObjects[]; nodes: number; complete: boolean }

/** What the edge nodes hold of a domain that a purge would be about. A node that says nothing makes it incomplete. */
export async function heldObjects(
  { tx, services: { log } }: Context,
  domain: { id: string; name: string },
  kind: PurgeKind,
  values: string[],
): Promise<HeldObjects> {
  const question: CachedObjectsQuestion = { domainId: domain.id, host: domain.name, kind, values }
  const said = await askEdgeNodes(tx, log, '/cached-objects', question, CachedObjects, PATIENCE_MS)
  const answers = said.filter((answer) => answer !== null)
  return {
    answers,
    nodes: answers.length,
    complete: said.length > 0 && answers.length === said.length && answers.every((answer) => answer.complete),
  }
}

const SAMPLES = 5

/**
 * One CDN's part: the edge itself stores under no name. Of one that is known to hold nothing, it is looked at whether
 * it has what the others have.
 */
export function partOf(
  { id, driver }: Pick<AttachedCdn, 'id' | 'driver'>,
  { answers }: HeldObjects,
): { objects: number; bytes: number; samples: CachedSample[] } {
  const name = driver === 'fairway-edge' ? '' : id
  const parts = answers.flatMap(({ cdns }) => cdns[name] ?? [])
  const all = answers.flatMap(({ samples }) => samples)
  const own = all.filter(({ cdn }) => cdn === name)
  return {
    objects: parts.reduce((sum, part) => sum + part.objects, 0),
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    samples: (own.length > 0 ? own : newestOfEach(all)).slice(0, SAMPLES),
  }
}

function newestOfEach(samples: CachedSample[]): CachedSample[] {
  const newest = new Map<string, CachedSample>()
  for (const sample of samples) {
    const place = `${sample.scheme} ${sample.host} ${sample.target}`
    const known = newest.get(place)
    if (!known || Date.parse(sample.date) > Date.parse(known.date)) newest.set(place, sample)
  }
  return [...newest.values()]
}
