import type { OriginOverride } from '@fairway/contract'
import { useTranslation } from 'react-i18next'

/** What an origin rule changes, in one line. */
export function useOriginWords(): (origin: OriginOverride) => string {
  const { t } = useTranslation('origin-rules')
  return ({ address, port, protocol, hostHeader, sni }) =>
    [
      protocol !== null ? protocol.toUpperCase() : '',
      address ?? '',
      port !== null ? t('words.port', { port }) : '',
      hostHeader !== null ? t('words.hostHeader', { host: hostHeader }) : '',
      sni !== null ? t('words.sni', { host: sni }) : '',
    ]
      .filter((part) => part !== '')
      .join(' · ')
}
