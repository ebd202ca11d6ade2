import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onDemand } from '../../ui/pace/on-demand.tsx'

const SellDialog = onDemand(async () => (await import('./sell-dialog.tsx')).SellDialog)

export function Sell() {
  const { t } = useTranslation('organizations')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('sell.open')}
      </Button>
      <SellDialog opened={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
