import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './live-switch.module.css'

type LiveSwitchProps = {
  on: boolean
  /** A window that has ended does not move. */ disabled: boolean
  onChange: (on: boolean) => void
}

/** Keeps the page current while it is on. */
export function LiveSwitch({ on, disabled, onChange }: LiveSwitchProps) {
  const { t } = useTranslation('analytics-dem')
  return (
    <Button
      variant={on ? 'light' : 'default'}
      aria-pressed={on}
      disabled={disabled}
      title={disabled ? t('liveNot') : t('liveHint')}
      leftSection={<IconRefresh className={classes.icon} data-on={on || undefined} size={15} stroke={1.65} />}
      onClick={() => onChange(!on)}
    >
      {t('live')}
    </Button>
  )
}
