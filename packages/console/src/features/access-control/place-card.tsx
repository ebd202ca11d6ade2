import { accessControl } from '@fairway/contract'
import type { AccessList } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useEntries } from './entries-read.ts'
import { EntryTable } from './entry-table.tsx'

const PlaceDrawer = onDemand(async () => (await import('./place-drawer.tsx')).PlaceDrawer)

/** Places of a list, and those that are taken out of them. */
export function PlaceCard({ place, list }: { place: Place; list: AccessList }) {
  const { t } = useTranslation('access-control')
  const { data, error, refetch } = useEntries(place, list, 'place')
  const { plan } = useAccount()
  const isIncluded = plan.ability.includes('waf.acl.geo')
  const mayAdd = useCanCall(accessControl.routes.createMany) && isIncluded
  const [opened, setOpened] = useState(false)
  const all = data?.data
  const add = mayAdd && (
    <Button size="xs" leftSection={<IconPlus size={15} stroke={1.9} />} onClick={() => setOpened(true)}>
      {t('place.add')}
    </Button>
  )
  return (
    <Card
      title={t('place.title')}
      {...(all && all.length > 0 ? { hint: t('entries', { count: all.length }), end: add } : {})}
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <EntryTable
          place={place}
          label={t('place.title')}
          entries={all}
          empty={
            <EmptyTeach
              title={t(`place.empty.${list}`)}
              text={t(isIncluded ? 'place.emptyText' : 'place.notInPlan')}
              action={
                isIncluded ? (
                  add
                ) : (
                  <Button
                    variant="default"
                    renderRoot={(props) => (
                      <Link
                        {...props}
                        to="/welcome/$category/$childCategory/{-$grandChildCategory}"
                        params={{
                          category: 'origin-shield',
                          childCategory: 'access-control',
                          grandChildCategory: 'geo',
                        }}
                      />
                    )}
                  >
                    {t('place.more')}
                  </Button>
                )
              }
            />
          }
        />
      )}
      <PlaceDrawer opened={opened} onClose={() => setOpened(false)} place={place} list={list} />
    </Card>
  )
}
