import { byoCdnKeys } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './byo-cdn-keys.module.css'
import { KeyForm } from './key-form.tsx'

export function AddKeyScreen() {
  const { t } = useTranslation('byo-cdn-keys')
  return (
    <Frame title={t('add')}>
      <KeyForm saved={null} />
    </Frame>
  )
}

export function EditKeyScreen() {
  const { t } = useTranslation('byo-cdn-keys')
  const { id } = useParams({ from: '/shell/account/bring-my-cdn-account/edit/{-$id}' })
  const { data, error, refetch } = useRead(
    byoCdnKeys.routes.list,
    { page_size: -1 },
    { enabled: useCanCall(byoCdnKeys.routes.list) },
  )
  const saved = data?.data.find((row) => row.id === id)
  return (
    <Frame title={saved?.name ?? t('edit')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} radius="lg" />}
      {data && !saved && <EmptyTeach title={t('gone')} />}
      {saved && <KeyForm key={saved.id} saved={saved} />}
    </Frame>
  )
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation('byo-cdn-keys')
  return (
    <>
      <Link className="link" to="/account/bring-my-cdn-account">
        <span className={classes.back}>
          <IconArrowLeft size={15} stroke={1.8} aria-hidden />
          {t('title')}
        </span>
      </Link>
      <PageHeader title={title} meaning={t('secretsMeaning')} />
      <Gate route={byoCdnKeys.routes.create} meaning={t('meaning')}>
        {children}
      </Gate>
    </>
  )
}
