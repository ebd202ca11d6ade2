/** Does one of the names (`*.` for exactly one label, RFC 6125 6.4.3) stand for the host? */
export function covers(names: readonly string[], host: string): boolean {
  return names.some(
    (name) =>
      name === host || (name.startsWith('*.') && host.includes('.') && host.slice(host.indexOf('.')) === name.slice(1)),
  )
}

/** A certificate as far as the choice between several needs it. `createdAt` and `notAfter` are epoch ms. */
export type Choosable = { id: string; names: readonly string[]; notAfter: number; uploaded: boolean; createdAt: number }

/**
 * Which certificate each name is served with: one that is valid before one that is not, an uploaded one before an
 * ordered one (somebody chose it), the newer before the older.
 * Names that only expired certificates have keep theirs: a warning in the browser says more than a stranger's
 * certificate.
 */
export function chooseCertificates(certificates: readonly Choosable[], now: number): Map<string, string> {
  const best = [...certificates].sort(
    (a, b) =>
      Number(b.notAfter > now) - Number(a.notAfter > now) ||
      Number(b.uploaded) - Number(a.uploaded) ||
      b.createdAt - a.createdAt ||
      (a.id < b.id ? -1 : 1),
  )
  const chosen = new Map<string, string>()
  for (const { id, names } of best) for (const name of names) if (!chosen.has(name)) chosen.set(name, id)
  return chosen
}
