/** Room for the stroke at the top and bottom, in the units of the picture. */
const PADDING = 3

type Spot = { x: number; y: number }

/** SVG path data of a series with gaps: the line, the area below it, and the newest point when there is one. */
export function sparkPaths(
  values: readonly (number | null)[],
  width: number,
  height: number,
  floor?: number,
): { line: string; area: string; last: Spot | null } {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return { line: '', area: '', last: null }
  const low = Math.min(floor ?? Number.POSITIVE_INFINITY, ...known)
  const span = Math.max(...known) - low
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const spots = values.map((value, index) =>
    value === null ? null : { x: round(index * step), y: round(yOf(value, low, span, height)) },
  )

  let line = ''
  let area = ''
  for (const run of runsOf(spots)) {
    const [first] = run
    const end = run.at(-1)
    if (!first || !end) continue
    const path = `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`
    line += run.length === 1 ? `${path}h0.01` : path
    if (run.length > 1) area += `${path}L${end.x} ${height}L${first.x} ${height}Z`
  }
  return { line, area, last: spots.at(-1) ?? null }
}

// A flat series lies in the middle: at the bottom it would read as zero.
const yOf = (value: number, low: number, span: number, height: number): number =>
  span === 0 ? height / 2 : PADDING + (1 - (value - low) / span) * (height - 2 * PADDING)

const round = (value: number): number => Math.round(value * 100) / 100

function runsOf(spots: readonly (Spot | null)[]): Spot[][] {
  const runs: Spot[][] = []
  let open: Spot[] | null = null
  for (const spot of spots) {
    if (spot === null) open = null
    else if (open) open.push(spot)
    else runs.push((open = [spot]))
  }
  return runs
}
