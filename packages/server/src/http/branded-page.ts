import type { PartnerInfo } from '@fairway/contract'

/**
 * The console's index document under a partner's brand: title, favicon and colour are right before anything is painted,
 * and the
 * settings come with it, so that nothing has to be fetched for them. The data block runs nothing; the page's policy
 * would not let it.
 */
export function brandedPage(document: string, info: PartnerInfo): string {
  const icon = info.favicon
    ? `<link rel="icon" href="${escaped(info.favicon)}" />`
    : info.hostName
      ? `<link rel="icon" href="${ownMark(info)}" type="image/svg+xml" />`
      : null
  return document
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(info.companyName)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, (own) => icon ?? own)
    .replace(
      /<html /,
      () => `<html style="--brand: ${escaped(info.brandColor)}; --brand-ink: ${escaped(info.brandInk)}" `,
    )
    .replace(
      '</head>',
      () =>
        `  <script type="application/json" id="partner">${JSON.stringify(info).replaceAll('<', '\\u003c')}</script>\n  </head>`,
    )
}

/** A partner without a favicon gets its first letter on its colour: never somebody else's mark. */
function ownMark({ companyName, brandColor, brandInk }: PartnerInfo): string {
  const letter = escaped([...companyName.trim()][0]?.toUpperCase() ?? '')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6.5" fill="${brandColor}"/><text x="12" y="17" text-anchor="middle" font-family="sans-serif" font-size="14" font-weight="600" fill="${brandInk}">${letter}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one)
