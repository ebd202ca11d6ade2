/** A CDN's name as a DNS label: in its targets' names and in `X-Served-By`. */
export function cdnSlug(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  return slug || 'cdn'
}
