import type { RouteOutput, account } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useKeepOpen } from '../../features/account/use-keep-open.ts'
import { useFormat } from '../../i18n/format.ts'
import { Banner } from './banner.tsx'

type Closing = NonNullable<RouteOutput<typeof account.routes.info>['closing']>

/** The organisation closes; its owner can keep it open. */
export function ClosingBanner({ closing, organization }: { closing: Closing; organization: string }) {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const keep = useKeepOpen()
  return (
    <Banner
      tone="warn"
      icon={IconDoorExit}
      action={
        closing.mayKeepOpen && (
          <Button size="compact-xs" variant="default" loading={keep.isPending} onClick={() => keep.mutate({})}>
            {t('closing.keep')}
          </Button>
        )
      }
    >
      {t('closing.text', { organization, date: format.date(Date.parse(closing.at)) })}
    </Banner>
  )
}
