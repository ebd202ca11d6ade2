import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import classes from './attack-trial.module.css'

type Row = { id: string; method: string; target: string; text: string; kind: string; note: string; ruleId: string }

/** So many are shown at first. */
const FIRST = 8

/** Requests of the catalogue one by one: what it was, where it stood, and what is to be said of it. */
export function TriedList({ title, none, rows }: { title: string; none: string; rows: readonly Row[] }) {
  const { t } = useTranslation('attack-trial')
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, FIRST)
  return (
    <Card title={title} hint={rows.length === 0 ? undefined : String(rows.length)}>
      {rows.length === 0 ? (
        <p className={classes.told}>{none}</p>
      ) : (
        <>
          <ul className={classes.tried}>
            {shown.map(({ id, method, target, text, kind, note, ruleId }) => (
              <li key={id}>
                <code className={classes.text}>{text}</code>
                <span className={classes.told}>
                  {kind} · {method} <code title={target}>{target.replace(/\?.*$/, '')}</code>
                </span>
                <span className={classes.note}>{/^\d+$/.test(ruleId) ? `${note} · ${ruleId}` : note}</span>
              </li>
            ))}
          </ul>
          {!all && rows.length > FIRST && (
            <Button size="xs" variant="subtle" onClick={() => setAll(true)}>
              {t('showAll', { count: rows.length })}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}
