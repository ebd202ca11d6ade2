import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Watched } from './use-watched-domain.ts'

/** Whose visitors are watched, where there is a choice. */
export function WatchedSelect({ watched: { domains, domain, choose } }: { watched: Watched }) {
  const { t } = useTranslation('simulated-cdns')
  if (domains.length < 2) return null
  return (
    <Select
      aria-label={t('watched')}
      data={domains.map(({ id, name }) => ({ value: id, label: name }))}
      value={domain?.id ?? null}
      onChange={(id) => {
        if (id !== null) choose(id)
      }}
    />
  )
}
