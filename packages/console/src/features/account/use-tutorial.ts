import { account } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { read, useRead } from '../../api/queries.ts'
import { useToggle } from '../../api/use-toggle.ts'

const { settings, setSettings } = account.routes
const settingsRead = read(settings, {})

/** Whether the user wants the first steps on Home (undefined until it is known), and the switch for it. */
export function useTutorial(): { shown: boolean | undefined; show: (on: boolean) => void } {
  const { t } = useTranslation('account')
  const toggle = useToggle()
  const { data } = useRead(settings, {})
  const show = (on: boolean) =>
    void toggle<typeof setSettings, RouteOutput<typeof settings>>(
      {
        route: setSettings,
        input: (showTutorial) => ({ showTutorial }),
        shownBy: settingsRead.queryKey,
        optimistic: (before, showTutorial) => ({ ...before, showTutorial }),
        subject: 'first steps',
        said: (isShown) => t(isShown ? 'console.shown' : 'console.hidden'),
      },
      on,
    )
  return { shown: data?.showTutorial, show }
}
