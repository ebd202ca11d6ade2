import { accessControl } from '@fairway/contract'
import type { AccessList } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useEntries } from './entries-read.ts'
import { EntryTable } from './entry-table.tsx'
import classes from './access-control.module.css'

const AddressDrawer = onDemand(async () => (await import('./address-drawer.tsx')).AddressDrawer)

/** Addresses and blocks of a list. */
export function AddressCard({ place, list }: { place: Place; list: AccessList }) {
  const { t } = useTranslation('access-control')
  const { data, error, refetch } = useEntries(place, list, 'address')
  const mayAdd = useCanCall(accessControl.routes.import)
  const [opened, setOpened] = useState(false)
  const [search, setSearch] = useState('')
  const all = data?.data
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return all?.filter(({ value, note }) => value.includes(wanted) || note.toLowerCase().includes(wanted))
  }, [all, search])
  const add = mayAdd && (
    <Button size="xs" leftSection={<IconPlus size={15} stroke={1.9} />} onClick={() => setOpened(true)}>
      {t('address.add')}
    </Button>
  )
  return (
    <Card
      title={t('address.title')}
      {...(all && all.length > 0 ? { hint: t('entries', { count: all.length }), end: add } : {})}
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.fields}>
          {all && all.length > 8 && (
            <div className={classes.tools}>
              <TextInput
                size="xs"
                type="search"
                aria-label={t('search')}
                placeholder={t('search')}
                leftSection={<IconSearch size={15} stroke={1.7} aria-hidden />}
                value={search}
                onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            </div>
          )}
          <EntryTable
            place={place}
            label={t('address.title')}
            entries={shown}
            empty={
              all?.length === 0 ? (
                <EmptyTeach title={t(`address.empty.${list}`)} text={t('address.emptyText')} action={add} />
              ) : (
                <p className={classes.quiet}>{t('noneFound')}</p>
              )
            }
          />
        </div>
      )}
      <AddressDrawer opened={opened} onClose={() => setOpened(false)} place={place} list={list} />
    </Card>
  )
}
