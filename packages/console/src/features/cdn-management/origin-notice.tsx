import type { OriginSeen } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/page/notice.tsx'

type Trouble = Extract<OriginSeen, 'redirects' | 'fails'>

export const isTroubled = (seen: OriginSeen | null | undefined): seen is Trouble =>
  seen === 'redirects' || seen === 'fails'

/** What visitors would get from the origin as it is, and where it is mended. */
export function OriginNotice({ seen }: { seen: Trouble }) {
  const { t } = useTranslation('cdn-management')
  return (
    <Notice tone="warn" title={t(`originSeen.${seen}`)}>
      {t(`originSeen.${seen}Text`)}
    </Notice>
  )
}
