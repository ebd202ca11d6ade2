/** The organisation in what the log calls the owner of a request: `organization site domain`. */
export function customerOf(owner: string): string {
  const end = owner.indexOf(' ')
  return end < 0 ? owner : owner.slice(0, end)
}
