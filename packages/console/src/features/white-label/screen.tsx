import { type WhiteLabel, whiteLabel } from '@fairway/contract'
import { Button, Select, Skeleton } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useRefreshing } from '../operator/use-refreshing.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { LeakCard } from './leak-card.tsx'
import { NamesForm } from './names-form.tsx'
import { RecordsCard } from './records-card.tsx'
import classes from './white-label.module.css'

const PATH = '/operator/v2/white-label/'
/** While something is not right somebody may be setting records; otherwise the worker's pace is enough. */
const SOON_MS = 5_000
const STEADY_MS = 60_000

/** Names of a partner in place of the installation's: what to set, what is seen of it, and what still leaks. */
export function WhiteLabelScreen() {
  const { t } = useTranslation('white-label')
  const { partner } = useSearch({ from: '/shell/operator/white-label' })
  const navigate = useNavigate({ from: '/operator/white-label' })
  const { data, error, refetch } = useRead(whiteLabel.routes.own, {}, { everyMs: paceOf })
  const check = useRefreshing(whiteLabel.routes.check, PATH)
  const all = data?.data ?? []
  const shown = all.find((one) => one.partner === partner) ?? all.find(({ isDefault }) => !isDefault) ?? all[0]
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          shown && (
            <>
              {all.length > 1 && (
                <Select
                  aria-label={t('partner')}
                  data={all.map((one) => ({ value: one.partner, label: one.companyName }))}
                  value={shown.partner}
                  allowDeselect={false}
                  searchable={all.length > 8}
                  onChange={(value) => void navigate({ search: { partner: value ?? undefined } })}
                />
              )}
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} stroke={1.65} />}
                loading={check.isPending}
                onClick={() => check.mutate({ partner: shown.partner })}
              >
                {t('again')}
              </Button>
            </>
          )
        }
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={480} radius="lg" />}
      {shown && <Names key={shown.partner} of={shown} />}
    </>
  )
}

function Names({ of }: { of: WhiteLabel }) {
  return (
    <div className={classes.columns}>
      <div className={classes.block}>
        <NamesForm of={of} />
        <LeakCard of={of} />
      </div>
      <RecordsCard of={of} />
    </div>
  )
}

function paceOf(data: { data: WhiteLabel[] } | undefined): number {
  const isRight = data?.data.every(({ records }) =>
    records.every(({ required, state }) => !required || state === 'good'),
  )
  return isRight ? STEADY_MS : SOON_MS
}
