import { type ZoneFileRow, ZoneFileSkip } from '@fairway/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'
import { useFormat } from '../../i18n/format.ts'

/** What is to be said of a row beside its record: what it was, what was made fit, or why it is left out. */
export function useRowWords(): (row: ZoneFileRow) => string {
  const { t } = useTranslation('zone-files')
  const format = useFormat()
  const ttl = (seconds: number | null) => (seconds === null ? t('auto') : format.seconds(seconds))
  return ({ reason, notes, before, value, preference, ttlSeconds }) => {
    const words = reason === null ? [] : [reasonText(t, reason)]
    if (before && (before.value !== value || before.preference !== preference))
      words.push(t('was', { value: dataOf(before) }))
    if (before && before.ttlSeconds !== ttlSeconds) words.push(t('wasTtl', { ttl: ttl(before.ttlSeconds) }))
    words.push(...notes.map((note) => t(`note.${note}`)))
    return words.join(' · ')
  }
}

export const dataOf = ({ value, preference }: Pick<ZoneFileRow, 'value' | 'preference'>): string =>
  preference === null ? value : `${preference} ${value}`

function reasonText(t: TFunction<'zone-files'>, reason: string): string {
  const skip = ZoneFileSkip.safeParse(reason)
  return skip.success ? t(`skip.${skip.data}`) : (validationText(t, reason) ?? reason)
}
