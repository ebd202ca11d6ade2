import { webSecurity } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconFlask2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/access/session.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'

const TryDrawer = onDemand(async () => (await import('./try-drawer.tsx')).TryDrawer)

/** Opens *Try a request*, from every page of web security. */
export function TryButton({ place }: { place: Place }) {
  const { t } = useTranslation('web-security')
  const [opened, setOpened] = useState(false)
  if (!useCanCall(webSecurity.routes.try)) return null
  return (
    <>
      <Button variant="default" leftSection={<IconFlask2 size={16} stroke={1.65} />} onClick={() => setOpened(true)}>
        {t('try.open')}
      </Button>
      <TryDrawer opened={opened} onClose={() => setOpened(false)} place={place} />
    </>
  )
}
