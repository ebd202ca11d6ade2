/** Names a request's host may be configured under: itself, then wildcards from the nearest. */
export function hostCandidates(host: string): string[] {
  const found = [host]
  let rest = host
  for (let dot = rest.indexOf('.'); dot >= 0 && found.length < 8; dot = rest.indexOf('.')) {
    rest = rest.slice(dot + 1)
    if (rest.includes('.')) found.push(`*.${rest}`)
  }
  return found
}
