import { TextInput } from '@mantine/core'
import { IconChevronRight, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './place-list.module.css'

export type Place = { name: string; hint: string; href: string; disabled?: boolean }

/** From this many on, the list gets a search field. */
const SEARCH_FROM = 8
/** More than this are found by their names. */
const SHOWN = 50

type PlaceListProps = {
  label: string
  places: readonly Place[]
  /** So many more are found as one types. */
  more?: number
  isBusy?: boolean
  onType?: (text: string) => void
}

/** Sites or domains to go on with. */
export function PlaceList({ label, places, more = 0, isBusy = false, onType }: PlaceListProps) {
  const { t } = useTranslation('guide')
  const [text, setText] = useState('')
  const type = (next: string) => {
    setText(next)
    onType?.(next)
  }
  const matching = places.filter(({ name }) => name.includes(text.trim().toLowerCase()))
  const beyond = more + Math.max(0, matching.length - SHOWN)
  return (
    <div className={classes.places}>
      {(places.length >= SEARCH_FROM || text !== '') && (
        <TextInput
          placeholder={t('find')}
          aria-label={t('find')}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      )}
      <ul className={classes.list} aria-label={label}>
        {matching.slice(0, SHOWN).map(({ name, hint, href, disabled = false }) => (
          <li key={name}>
            <Link className={classes.item} to={href} disabled={disabled}>
              <span className={classes.name}>{name}</span>
              <span className={classes.hint}>{hint}</span>
              <IconChevronRight size={15} stroke={1.8} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
      {beyond > 0 && <p className={classes.more}>{t('more', { count: beyond })}</p>}
      {matching.length === 0 && !isBusy && (
        <p className={classes.more} role="status">
          {t('nothing')}
        </p>
      )}
    </div>
  )
}
