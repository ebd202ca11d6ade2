import { declineCode as known } from '@fairway/contract'
import { useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_TAG, LOCALES } from '../../i18n/locale.ts'
import classes from './billing.module.css'
import type { CardElement } from './card-element.ts'

type Word = { type: string; height?: number; declineCode?: string }
type SandboxElementProps = {
  src: string
  element: RefObject<CardElement | null>
  /** Enter was pressed inside. */ onEnter: () => void
}

/**
 * The sandbox provider's page in a frame without an origin: neither side can reach into the other, they exchange
 * messages.
 */
export function SandboxElement({ src, element, onEnter }: SandboxElementProps) {
  const { t, i18n } = useTranslation(['billing', 'errors'])
  const frame = useRef<HTMLIFrameElement>(null)
  const answer = useRef<((result: Awaited<ReturnType<CardElement['confirm']>>) => void) | null>(null)
  const [height, setHeight] = useState(190)
  const [isReady, setReady] = useState(false)
  const scheme = useComputedColorScheme('light')
  const say = (word: object) => frame.current?.contentWindow?.postMessage(word, '*')
  const enter = useRef(onEnter)
  enter.current = onEnter

  useImperativeHandle(element, () => ({
    confirm: () =>
      new Promise((resolve) => {
        answer.current = resolve
        say({ type: 'fairway-pay:submit' })
      }),
  }))
  useEffect(() => {
    const hear = (event: MessageEvent<Word>) => {
      if (event.source !== frame.current?.contentWindow) return
      const { type, declineCode } = event.data
      if (type === 'fairway-pay:ready') setReady(true)
      if (type === 'fairway-pay:enter') enter.current()
      if (type === 'fairway-pay:height') setHeight(Math.min(600, Math.max(120, event.data.height ?? 0)))
      if (type === 'fairway-pay:succeeded') answer.current?.({ taken: true })
      if (type !== 'fairway-pay:failed') return
      say({ type: 'fairway-pay:problem', declineCode, text: t(`errors:errorMessage.${known(declineCode)}`) })
      answer.current?.({ taken: false, declineCode: known(declineCode) })
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [t])
  const locale = LOCALES.find((one) => LANGUAGE_TAG[one] === i18n.language) ?? 'en'
  useEffect(() => {
    if (isReady) say({ type: 'fairway-pay:look', locale, scheme })
  }, [isReady, locale, scheme])

  return (
    <iframe
      ref={frame}
      className={classes.frame}
      style={{ height }}
      src={src}
      sandbox="allow-scripts allow-forms"
      title={t('card.frame')}
    />
  )
}
