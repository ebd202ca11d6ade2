import type { VisitorFilter } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlaceWords } from '../../ui/places/place-words.ts'

/** More than this many of a kind are counted rather than named. */
const NAMED = 4

/** Whom a filter is for, in words: short for a list, as the start of a sentence for the editor. */
export function useVisitorWords() {
  const { t, i18n } = useTranslation('routing-strategies')
  const words = usePlaceWords()
  return useMemo(() => {
    const either = new Intl.ListFormat(i18n.language, { type: 'disjunction' })
    const some = (values: readonly string[], name: (value: string) => string) => {
      const named = values.slice(0, values.length > NAMED ? NAMED - 1 : NAMED).map(name)
      const rest = values.length - named.length
      return either.format(rest > 0 ? [...named, t('who.more', { count: rest })] : named)
    }
    const parts = ({ places, networks, cidrs }: VisitorFilter) => ({
      places: places.length > 0 ? some(places, words.place) : null,
      networks: networks.length > 0 ? some(networks, words.network) : null,
      cidrs: cidrs.length > 0 ? some(cidrs, (cidr) => cidr) : null,
    })
    return {
      /** `Germany or Austria · China Telecom`; *Everyone* without a filter. */
      short: (filter: VisitorFilter): string => {
        const { places, networks, cidrs } = parts(filter)
        const shown = [places, networks, cidrs].filter((part) => part !== null)
        return shown.length === 0 ? t('who.everyoneShort') : shown.join(' · ')
      },
      /** `Visitors in Germany or Austria, on China Telecom` */
      sentence: (filter: VisitorFilter): string => {
        const { places, networks, cidrs } = parts(filter)
        const shown = [
          places && t('who.places', { places }),
          networks && t('who.networks', { networks }),
          cidrs && t('who.cidrs', { cidrs }),
        ].filter((part) => part !== null)
        return shown.length === 0 ? t('who.everyone') : t('who.some', { parts: shown.join(t('who.and')) })
      },
    }
  }, [t, i18n.language, words])
}
