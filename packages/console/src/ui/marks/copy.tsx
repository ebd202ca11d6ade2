import { Tooltip } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CellIconButton } from '../data-table/cell-controls.tsx'
import classes from './copy.module.css'

type CopyProps = {
  value: string
  /** What is copied, for those who hear the button; the value itself when absent. */
  name?: string
  /** Shown only while its row or line (`data-copy-host`) is hovered or holds the focus. */
  quiet?: boolean
}
type CopyButtonProps = Pick<CopyProps, 'value' | 'quiet'> & { /** What the button is called. */ label: string }
type Outcome = 'copied' | 'cannotCopy'

const SHOWN_MS = 1400
const HINT_MS = 350

/** Copies a value. Says so for a moment, to eyes and ears. */
export function Copy({ name, ...button }: CopyProps) {
  const { t } = useTranslation('shell')
  return <CopyButton {...button} label={t('copyNamed', { name: name ?? button.value })} />
}

/** The same for rows of tables: until somebody comes near it is its button alone. */
export function CopyButton({ value, label, quiet = false }: CopyButtonProps) {
  const [isNear, setNear] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const copy = (event: React.MouseEvent) => {
    event.stopPropagation()
    navigator.clipboard.writeText(value).then(
      () => setOutcome('copied'),
      () => setOutcome('cannotCopy'),
    )
  }
  return (
    <CellIconButton
      ref={button}
      className={classes.copy}
      data-quiet={quiet || undefined}
      data-copied={outcome === 'copied' || undefined}
      aria-label={label}
      onClick={copy}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      onFocus={() => setNear(true)}
      onBlur={() => setNear(false)}
    >
      {(isNear || outcome !== null) && <CopyWords target={button} outcome={outcome} onSaid={() => setOutcome(null)} />}
    </CellIconButton>
  )
}

/** What the button does, after a moment; what it did, at once. */
function CopyWords({
  target,
  outcome,
  onSaid,
}: {
  target: React.RefObject<HTMLButtonElement | null>
  outcome: Outcome | null
  onSaid: () => void
}) {
  const { t } = useTranslation('shell')
  const [hasStayed, setStayed] = useState(false)
  const said = useRef(onSaid)
  said.current = onSaid
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => said.current(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  useEffect(() => {
    const timer = setTimeout(() => setStayed(true), HINT_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <span className="sr-only" role="status">
        {outcome !== null && t(outcome === 'copied' ? 'copied' : 'cannotCopy')}
      </span>
      {(hasStayed || outcome !== null) && <Tooltip target={target} label={t(outcome ?? 'copy')} opened />}
    </>
  )
}
