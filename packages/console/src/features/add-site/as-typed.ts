/**
 * What people paste becomes the name they mean: addresses lose scheme and path, other scripts become what DNS holds
 * (IDNA). What is no name stays, to be refused with its reason.
 */
export function asTyped(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
  if (/^[\x21-\x7e]*$/.test(name)) return name
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return name
  }
}
