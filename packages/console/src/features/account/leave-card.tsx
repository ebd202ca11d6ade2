import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useOpenDialog } from './use-open-dialog.ts'

/** Ends one's own account; the owner is told what comes before that. */
export function LeaveCard({ mayLeave, mayClose }: { mayLeave: boolean; mayClose: boolean }) {
  const { t } = useTranslation('teammates')
  const { open } = useOpenDialog()
  return (
    <Card flush>
      <ul className={classes.rows}>
        <SettingRow
          name={t('leave.name')}
          text={mayLeave ? t('leave.row') : t(mayClose ? 'leave.owner' : 'leave.handOver')}
        >
          <Button variant="default" color="red" disabled={!mayLeave} onClick={() => open('leave')}>
            {t('leave.open')}
          </Button>
        </SettingRow>
      </ul>
    </Card>
  )
}
