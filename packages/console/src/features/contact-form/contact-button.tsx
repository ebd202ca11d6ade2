import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onDemand } from '../../ui/pace/on-demand.tsx'

const ContactDialog = onDemand(async () => (await import('./contact-dialog.tsx')).ContactDialog)

/** Opens the contact form; another one after each that was sent. */
export function ContactButton() {
  const { t } = useTranslation('contact-form')
  const [{ isOpen, round }, set] = useState({ isOpen: false, round: 0 })
  return (
    <>
      <Button variant="default" onClick={() => set({ isOpen: true, round: round + 1 })}>
        {t('open')}
      </Button>
      <ContactDialog key={round} opened={isOpen} onClose={() => set({ isOpen: false, round })} />
    </>
  )
}
