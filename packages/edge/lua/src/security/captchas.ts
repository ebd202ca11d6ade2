import * as json from 'cjson.safe'

/** Pictures with what is written on them, as the agent has drawn them. */
type Pool = { id: string; tasks: { svg: string; text: string }[] }

let file = ''
/** The newest first; the one before is kept for pages that were shown with it. */
let pools: Pool[] = []
let nextLook = 0
const LOOK_SECONDS = 30

/** Where the agent writes them. */
export function useFile(path: string): void {
  file = path
}

function look(): void {
  const now = ngx.time()
  if (now < nextLook) return
  nextLook = now + (pools.length === 0 ? 1 : LOOK_SECONDS)
  const [handle] = io.open(file, 'rb')
  if (handle === undefined) return
  const read = json.decode(handle.read('*a') ?? '') as Pool[] | undefined
  handle.close()
  if (read !== undefined) pools = read
}

/** The pictures that are shown now; empty while there are none. */
export function presentPool(): string {
  look()
  return pools[0]?.id ?? ''
}

/** The picture of a pool that goes with a mark; undefined when the pool is gone. */
export function taskOf(poolId: string, mark: string): Pool['tasks'][number] | undefined {
  look()
  for (const { id, tasks } of pools)
    if (id === poolId && tasks.length > 0) return tasks[(tonumber(`0x${mark.slice(8, 14)}`) ?? 0) % tasks.length]
  return undefined
}
