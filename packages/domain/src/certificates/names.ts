/** Does one of the names (`*.` for exactly one label, RFC 6125 6.4.3) stand for the host? */
export function covers(names: readonly string[], host: string): boolean {
  return names.some(
    (name) =>
      name === host || (name.startsWith('*.') && host.includes('.') && host.slice(host.indexOf('.')) === name.slice(1)),
  )
}

/** A certificate as far as the choice between several needs it. Times are epoch ms. */
export type Choosable = {
  id: string
  names: readonly string[]
  notBefore: number
  notAfter: number
  uploaded: boolean
  createdAt: number
}

/**
 * Which certificate each name is served with: one that is valid before one that is not (any more, or yet), an uploaded
 * one before an ordered one (somebody chose it), the newer before the older.
 * Names that only expired certificates have keep theirs, unless a wildcard over them is good: a warning in the browser
 * says more than a stranger's certificate.
 */
export function chooseCertificates(certificates: readonly Choosable[], now: number): Map<string, string> {
  const isValid = ({ notBefore, notAfter }: Choosable) => notBefore <= now && now < notAfter
  const best = [...certificates].sort(
    (a, b) =>
      Number(isValid(b)) - Number(isValid(a)) ||
      Number(b.uploaded) - Number(a.uploaded) ||
      b.createdAt - a.createdAt ||
      (a.id < b.id ? -1 : 1),
  )
  const chosen = new Map<string, string>()
  const good = best.filter(isValid).flatMap(({ names }) => names)
  for (const one of best)
    for (const name of one.names)
      if (!chosen.has(name) && (isValid(one) || !covers(good, name))) chosen.set(name, one.id)
  return chosen
}
