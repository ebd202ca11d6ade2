import { account } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useKeepOpen } from './use-keep-open.ts'
import { useOpenDialog } from './use-open-dialog.ts'

/** How its owner has the organisation leave: with everything it has in one file, and closed. */
export function OrganizationLeaveCard({ mayClose }: { mayClose: boolean }) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const { open } = useOpenDialog()
  const { closing } = useAccount()
  const keep = useKeepOpen()
  return (
    <Card title={t('leaving.title')} flush>
      <ul className={classes.rows}>
        <SettingRow name={t('leaving.export')} text={t('leaving.exportText')}>
          <Button
            component="a"
            variant="default"
            href={account.routes.export.path}
            download
            leftSection={<IconDownload size={16} stroke={1.65} />}
          >
            {t('leaving.exportVerb')}
          </Button>
        </SettingRow>
        {(mayClose || closing?.mayKeepOpen === true) && (
          <SettingRow
            name={t('leaving.close')}
            text={
              closing === null
                ? t('leaving.closeText')
                : t('leaving.closing', { date: format.date(Date.parse(closing.at)) })
            }
          >
            {closing === null ? (
              <Button variant="default" color="red" onClick={() => open('close-organization')}>
                {t('leaving.closeVerb')}
              </Button>
            ) : (
              <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate({})}>
                {t('leaving.keepVerb')}
              </Button>
            )}
          </SettingRow>
        )}
      </ul>
    </Card>
  )
}
