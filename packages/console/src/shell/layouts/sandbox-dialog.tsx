import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { usePartner } from '../partner.ts'
import { useAccount } from '../access/session.ts'

const KEY = 'fairway.sandboxSeen'

/** Greets the visitors of a demonstration once per visit, and says what they can and cannot do. */
export function SandboxDialog() {
  const { t } = useTranslation('shell')
  const { sandboxMode } = useAccount()
  const name = usePartner()?.companyName ?? ''
  const [opened, setOpened] = useState(() => sandboxMode && !wasSeen())
  const close = () => {
    noteSeen()
    setOpened(false)
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t('demo.title', { name })}
      footer={
        <Button onClick={close} data-autofocus>
          {t('demo.verb')}
        </Button>
      }
    >
      <p>{t('demo.text')}</p>
      <p>{t('sandboxRefused')}</p>
    </Dialog>
  )
}

function wasSeen(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

function noteSeen(): void {
  try {
    sessionStorage.setItem(KEY, '1')
  } catch {
    // It greets again on the next page then.
  }
}
