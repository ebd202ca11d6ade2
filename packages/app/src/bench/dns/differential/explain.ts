import type { Told } from './asker.ts'

/** Why two servers that are both right answer differently; null when nothing explains it. */
export function explain(
  question: { name: string; type: string },
  ours: Told,
  theirs: Told,
  origin: string,
): string | null {
  if (question.type === 'ANY')
    return ours.rcode === theirs.rcode ? 'ANY: we answer next to nothing (RFC 8482 4.2), others all they have' : null
  const withoutServers = (told: Told): string =>
    JSON.stringify({
      ...told,
      authority: told.authority.filter(
        (line) => !line.startsWith(`${origin} ns `) && !line.startsWith(`${origin} NS `),
      ),
    })
  if (ours.answers.length > 0 && withoutServers(ours) === withoutServers(theirs))
    return "the zone's own servers beside an answer, which nobody needs"
  if (question.type === 'NSEC' && theirs.answers.length === 0 && isAlias(ours))
    return 'NSEC of an alias in an unsigned zone: nothing there, or where it leads'
  if (theirs.rcode === 'SERVFAIL' && JSON.stringify(ours.answers) === JSON.stringify(theirs.answers) && isCircle(ours))
    return 'a circle of CNAMEs: told once around by us, Knot and NSD, and called a failure beside by BIND'
  const body = (told: Told): string => JSON.stringify([told.rcode, told.authoritative, told.truncated, told.answers])
  if (isAlias(ours) && body(ours) === body(theirs))
    return 'what goes along with a chain of CNAMEs that leaves the zone or ends in a cut'
  return null
}

const isAlias = ({ answers }: Told): boolean => answers.some((line) => line.includes(' CNAME '))

/** One of its CNAMEs leads back to a name that the chain has passed. */
function isCircle({ answers }: Told): boolean {
  const owners = new Set(answers.map((line) => line.split(' ', 1)[0]))
  return (
    answers.every((line) => line.includes(' CNAME ')) &&
    answers.some((line) => owners.has(/"(.*)"$/.exec(line)?.[1] ?? ''))
  )
}
