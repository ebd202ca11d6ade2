import { PartnerInfo, account } from '@fairway/contract'
import type { QueryClient } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { read } from '../api/queries.ts'
import { nameBrand } from '../i18n/i18n.ts'

export const partnerRead = { ...read(account.routes.partner, {}), staleTime: Number.POSITIVE_INFINITY }

const HEX = /^#[0-9a-f]{6}$/i
const KEPT = 'fairway.brand'

/** Name, colours, pictures and links of the partner whose host name was asked; null while nothing is known of it. */
export function usePartner(): PartnerInfo | null {
  return useQuery(partnerRead).data ?? null
}

/**
 * Reads the partner and paints with its colour, before the first render. A console without an answer still starts:
 * without a name, in the default colour.
 */
export async function startPartner(queryClient: QueryClient): Promise<void> {
  const inPage = partnerInPage()
  if (inPage) queryClient.setQueryData(partnerRead.queryKey, inPage)
  const partner = inPage ?? (await queryClient.fetchQuery({ ...partnerRead, retry: false }).catch(() => null))
  if (partner !== null) paintBrand(partner)
}

/** What the server wrote into the index document; null when it was served without it. */
function partnerInPage(): PartnerInfo | null {
  try {
    return PartnerInfo.parse(JSON.parse(document.getElementById('partner')?.textContent ?? ''))
  } catch {
    return null
  }
}

/** Sets `--brand`; everything else is derived from it by the tokens. A value that is no colour is ignored. */
export function paintBrand({
  brandColor,
  brandInk,
  companyName,
}: Pick<PartnerInfo, 'brandColor' | 'brandInk' | 'companyName'>): void {
  document.title = companyName
  nameBrand(companyName)
  if (!HEX.test(brandColor) || !HEX.test(brandInk)) return
  document.documentElement.style.setProperty('--brand', brandColor)
  document.documentElement.style.setProperty('--brand-ink', brandInk)
  try {
    localStorage.setItem(KEPT, `${brandColor} ${brandInk}`)
  } catch {
    // Storage may be refused by the browser; the colour is then set a moment later on the next visit.
  }
}
