import type { CardSetup } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/page/notice.tsx'
import type { CardElement } from './card-element.ts'

type Mounted = {
  mount: (place: HTMLElement) => void
  on: (event: 'ready', then: () => void) => void
  destroy: () => void
}
type Elements = { create: (kind: 'payment') => Mounted }
/** The part of Stripe.js that is used. It has to be loaded from Stripe itself, so it is no package of ours. */
type StripeJs = {
  elements: (options: { clientSecret: string; locale: string }) => Elements
  confirmSetup: (options: {
    elements: Elements
    redirect: 'if_required'
    confirmParams: { return_url: string }
  }) => Promise<{ error?: { code?: string; decline_code?: string } }>
}
declare global {
  interface Window {
    Stripe?: (publishableKey: string) => StripeJs
  }
}

const SOURCE = 'https://js.stripe.com/v3/'

type StripeElementProps = { setup: Extract<CardSetup, { gateway: 'stripe' }>; element: RefObject<CardElement | null> }

/** Stripe's payment element. */
export function StripeElement({ setup: { clientSecret, publishableKey }, element }: StripeElementProps) {
  const { t, i18n } = useTranslation('billing')
  const place = useRef<HTMLDivElement>(null)
  const confirm = useRef<CardElement['confirm'] | null>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'away'>('loading')
  useImperativeHandle(element, () => ({
    confirm: () => confirm.current?.() ?? Promise.resolve({ taken: false, declineCode: 'try_again_later' }),
  }))
  useEffect(() => {
    let mounted: Mounted | null = null
    let gone = false
    void loadStripe().then(
      (make) => {
        if (gone || !place.current) return
        const stripe = make(publishableKey)
        const elements = stripe.elements({
          clientSecret,
          locale: i18n.language === 'zh-Hans' ? 'zh' : i18n.language === 'zh-Hant' ? 'zh-TW' : 'en',
        })
        mounted = elements.create('payment')
        mounted.on('ready', () => setState('ready'))
        mounted.mount(place.current)
        confirm.current = async () => {
          const { error } = await stripe.confirmSetup({
            elements,
            redirect: 'if_required',
            confirmParams: { return_url: window.location.href },
          })
          return error
            ? { taken: false, declineCode: error.decline_code ?? error.code ?? 'generic_decline' }
            : { taken: true }
        }
      },
      () => setState('away'),
    )
    return () => {
      gone = true
      mounted?.destroy()
    }
  }, [clientSecret, publishableKey, i18n.language])
  return (
    <>
      {state === 'loading' && <Skeleton height={180} />}
      {state === 'away' && <Notice tone="bad">{t('card.providerAway')}</Notice>}
      <div ref={place} />
    </>
  )
}

function loadStripe(): Promise<(publishableKey: string) => StripeJs> {
  return new Promise((resolve, reject) => {
    if (window.Stripe) return resolve(window.Stripe)
    const script = document.createElement('script')
    script.src = SOURCE
    script.addEventListener('load', () =>
      window.Stripe ? resolve(window.Stripe) : reject(new Error('Stripe.js has not loaded')),
    )
    script.addEventListener('error', () => reject(new Error('Stripe.js cannot be reached')))
    document.head.append(script)
  })
}
