import { IpAddress, routeMap } from '@fairway/contract'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { useNow } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { RouteTable } from './route-table.tsx'
import { RouteWorld } from './route-world.tsx'
import classes from './screen.module.css'
import { SINCE_HOURS, secondsSince, type SinceHours } from './since.ts'

const OverridesDialog = lazy(async () => ({ default: (await import('./overrides-dialog.tsx')).OverridesDialog }))
const WhyPanel = lazy(async () => ({ default: (await import('../why/why-panel.tsx')).WhyPanel }))

const REFRESH_MS = 15_000

/** Where every country, region and network is sent now, and what changed since when, by what. */
export function RouteMapScreen() {
  const { t } = useTranslation('route-map')
  const { site, domain } = useScope()
  const canUpload = useCanCall(routeMap.routes.putOverrides)
  const [uploading, setUploading] = useState(false)
  const place = domain && { site: site.id, domain: domain.id }
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          place &&
          canUpload && (
            <Button
              variant="default"
              leftSection={<IconUpload size={16} stroke={1.8} />}
              onClick={() => setUploading(true)}
            >
              {t('overrides.open')}
            </Button>
          )
        }
      />
      <Gate route={routeMap.routes.report} meaning={t('meaning')}>
        {!domain || !place ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/dem/route-map" />
        ) : (
          <>
            <RouteMapOf place={place} />
            <Suspense fallback={null}>
              <WhyPanel host={domain.name} />
              {uploading && <OverridesDialog place={place} onClose={() => setUploading(false)} />}
            </Suspense>
          </>
        )}
      </Gate>
    </>
  )
}

function RouteMapOf({ place }: { place: { site: string; domain: string } }) {
  const { t } = useTranslation('route-map')
  const { since, address } = useSearch({ from: '/shell/$site/{-$domain}/dem/route-map' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/dem/route-map' })
  const now = useNow()
  const asked = {
    ...place,
    ...(since ? { since: secondsSince(since, now) } : {}),
    ...(address ? { address } : {}),
  }
  const { data, error, refetch } = useRead(routeMap.routes.report, asked, { everyMs: REFRESH_MS })
  const set = (change: { since?: SinceHours | undefined; address?: string | undefined; why?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const rows = useMemo(() => {
    if (!data) return []
    const near = new Set(data.matches)
    return data.rows.filter((row) => (!since || row.before !== null) && (!address || near.has(row.place)))
  }, [data, since, address])

  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={520} radius="lg" />
  if (data.rows.length === 0)
    return (
      <Card>
        <EmptyTeach title={t('empty.title')} text={t('empty.text')} />
      </Card>
    )
  return (
    <div className={classes.root}>
      <div className={classes.bar}>
        <AddressField
          value={address}
          onChange={(next) => set({ address: next })}
          onWhy={address ? () => set({ why: address }) : undefined}
        />
        <Segmented
          label={t('since.label')}
          value={since ?? 'now'}
          onChange={(next) => set({ since: SINCE_HOURS.find((hours) => hours === next) })}
          options={[
            { value: 'now', label: t('since.now') },
            ...SINCE_HOURS.map((hours) => ({ value: hours, label: t(`since.${hours}`) })),
          ]}
        />
      </div>
      <RouteWorld rows={since ? rows : data.rows} changed={since !== undefined} />
      <RouteTable rows={rows} changed={since !== undefined} near={address} />
    </div>
  )
}

type AddressFieldProps = {
  value: string | undefined
  onChange: (address: string | undefined) => void
  onWhy: (() => void) | undefined
}

function AddressField({ value, onChange, onWhy }: AddressFieldProps) {
  const { t } = useTranslation(['route-map', 'why-panel'])
  const [typed, setTyped] = useState(value ?? '')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      className={classes.address}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const address = typed.trim()
        const isValid = address === '' || IpAddress.safeParse(address).success
        setWrong(!isValid)
        if (isValid) onChange(address === '' ? undefined : address)
      }}
    >
      <TextInput
        aria-label={t('address.label')}
        placeholder={t('address.label')}
        value={typed}
        error={isWrong ? t('why-panel:addressWrong') : null}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setWrong(false)
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <Button type="submit" variant="default">
        {t('address.find')}
      </Button>
      {onWhy && (
        <Button variant="subtle" onClick={onWhy}>
          {t('address.why')}
        </Button>
      )}
    </form>
  )
}
