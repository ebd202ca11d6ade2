import { account } from '@fairway/contract'
import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useTutorial } from './use-tutorial.ts'

/** How the console shows itself to the user. */
export function ConsoleCard() {
  const { t } = useTranslation('account')
  const { shown, show } = useTutorial()
  const mayChange = useCanCall(account.routes.setSettings)
  if (shown === undefined) return null
  return (
    <Card title={t('console.title')} flush>
      <ul className={classes.rows}>
        <SettingRow name={t('console.tutorial')} text={t('console.tutorialText')}>
          <Switch
            checked={shown}
            disabled={!mayChange}
            aria-label={t('console.tutorial')}
            onChange={(event) => show(event.currentTarget.checked)}
          />
        </SettingRow>
      </ul>
    </Card>
  )
}
