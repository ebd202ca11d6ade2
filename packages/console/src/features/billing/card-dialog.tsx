import { BillingAddress, type CardSetup, billing } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AddressFields } from './address-fields.tsx'
import classes from './billing.module.css'
import type { CardElement } from './card-element.ts'
import { SandboxElement } from './sandbox-element.tsx'
import { StripeElement } from './stripe-element.tsx'
import { useBillingChange } from './use-billing-change.ts'

type CardDialogProps = { opened: boolean; onClose: () => void; address: BillingAddress | null; onDone?: () => void }

/** A card and where its bills go. The card is typed into the provider's own element; only the address is ours. */
export function CardDialog({ opened, onClose, address, onDone }: CardDialogProps) {
  const { t } = useTranslation(['billing', 'errors'])
  const show = useSnackbar()
  const element = useRef<CardElement | null>(null)
  const [declined, setDeclined] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { setup, error: notOpened, again } = useCardSetup(opened)
  const form = useZodForm<z.input<typeof BillingAddress>>(BillingAddress, address ?? EMPTY)
  const save = useBillingChange(billing.routes.setPayment, () => {
    show('card', { message: t('card.saved') })
    onClose()
    onDone?.()
  })
  const submit = form.handleSubmit(async (input) => {
    if (!setup || !element.current) return
    setDeclined(null)
    setAsking(true)
    const answer = await element.current.confirm().finally(() => setAsking(false))
    if (answer.taken) save.mutate({ intentId: setup.intentId, address: input })
    else if (setup.gateway === 'stripe') setDeclined(answer.declineCode)
  })
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      keepOpen="quietly"
      title={t('card.dialog')}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isAsking || save.isPending} disabled={!setup}>
            {t('card.save')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {save.error && <FailureNotice title={t('card.notSaved')} error={save.error} />}
        {declined !== null && (
          <Notice tone="bad">{t([`errors:errorMessage.${declined}`, 'errors:errorMessage.generic_decline'])}</Notice>
        )}
        {Boolean(notOpened) && (
          <Notice
            tone="bad"
            action={
              <Button variant="default" size="xs" onClick={again}>
                {t('again')}
              </Button>
            }
          >
            {t('card.providerAway')}
          </Notice>
        )}
        {!setup && !notOpened && <Skeleton height={190} radius="md" />}
        {setup?.gateway === 'sandbox' && (
          <SandboxElement key={setup.intentId} src={setup.elementUrl} element={element} onEnter={() => void submit()} />
        )}
        {setup?.gateway === 'stripe' && <StripeElement key={setup.intentId} setup={setup} element={element} />}
        <AddressFields form={form} />
        <p className={classes.quiet}>{t('card.safe')}</p>
      </div>
    </SideDrawer>
  )
}

const EMPTY = {
  firstName: '',
  lastName: '',
  company: '',
  billingCountry: '',
  billingState: '',
  billingCity: '',
  billingZip: '',
  billingAddr1: '',
  billingAddr2: '',
  taxId: '',
}

/** A setup for each time the dialog is opened. */
function useCardSetup(opened: boolean): { setup: CardSetup | null; error: unknown; again: () => void } {
  const open = useBillingChange(billing.routes.intentToken)
  const { mutate, reset } = open
  useEffect(() => {
    if (opened) mutate({})
    else reset()
  }, [opened, mutate, reset])
  return { setup: open.data ?? null, error: open.error, again: () => mutate({}) }
}
