import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './copy.module.css'

type CopyProps = {
  value: string
  /** What is copied, for those who hear the button; the value itself when absent. */
  name?: string
  /** Shown only while its row or line (`data-copy-host`) is hovered or holds the focus. */
  quiet?: boolean
}

const SHOWN_MS = 1400
const HINT_MS = 350

/** Copies a value. Says so for a moment, to eyes and ears. */
export function Copy({ value, name, quiet = false }: CopyProps) {
  const { t } = useTranslation('shell')
  const button = useRef<HTMLButtonElement>(null)
  const [isNear, setNear] = useState(false)
  const [hasStayed, setStayed] = useState(false)
  const [outcome, setOutcome] = useState<'copied' | 'cannotCopy' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  useEffect(() => {
    const timer = isNear ? setTimeout(() => setStayed(true), HINT_MS) : undefined
    return () => {
      clearTimeout(timer)
      setStayed(false)
    }
  }, [isNear])
  const said = outcome === null ? '' : outcome === 'copied' ? t('copied') : t('cannotCopy')
  const copy = (event: React.MouseEvent) => {
    event.stopPropagation()
    navigator.clipboard.writeText(value).then(() => setOutcome('copied'), () => setOutcome('cannotCopy'))
  }
  return (
    <>
      <ActionIcon ref={button} className={classes.copy} data-quiet={quiet || undefined} size={24} onClick={copy} aria-label={t('copyNamed', { name: name ?? value })} onPointerEnter={() => setNear(true)} onPointerLeave={() => setNear(false)}>
        {outcome === 'copied' ? <IconCheck size={14} stroke={1.8} /> : <IconCopy size={14} stroke={1.65} />}
        <span className="sr-only" role="status">{said}</span>
      </ActionIcon>
      {/* Tables have one in every row: what shows the words is made where somebody looks. */}
      {(hasStayed || outcome !== null) && <Tooltip target={button} label={said || t('copy')} opened />}
    </>
  )
}
