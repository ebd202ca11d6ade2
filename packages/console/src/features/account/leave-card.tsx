import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useOpenDialog } from './use-open-dialog.ts'

/** The way out, for those who can leave the organisation. */
export function LeaveCard({ organization }: { organization: string }) {
  const { t } = useTranslation('teammates')
  const { open } = useOpenDialog()
  return (
    <Card flush>
      <ul className={classes.rows}>
        <SettingRow name={organization} text={t('leave.row')}>
          <Button variant="default" onClick={() => open('leave')}>
            {t('leave.open')}
          </Button>
        </SettingRow>
      </ul>
    </Card>
  )
}
