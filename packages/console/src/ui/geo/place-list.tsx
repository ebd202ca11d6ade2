import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './geo-picker.module.css'
import { PlaceItem } from './place-item.tsx'
import { togglePlace } from './place-tree.ts'
import { usePlaceName } from './place-name.ts'
import { useVisiblePlaces } from './use-visible-places.ts'

type PlaceListProps = { label: string; chosen: readonly string[]; onChange: (places: string[]) => void }

/** Search and tree. The tree is one flat list with levels; arrows walk it as WAI-ARIA describes. */
export function PlaceList({ label, chosen, onChange }: PlaceListProps) {
  const { t } = useTranslation('geo')
  const nameOf = usePlaceName()
  const tree = useRef<HTMLUListElement>(null)
  const { text, setText, visible, open, close } = useVisiblePlaces(chosen, nameOf)
  const [focused, setFocused] = useState<string | null>(null)
  const current = visible.some(({ key }) => key === focused) ? focused : visible[0]?.key
  const focus = (index: number) => {
    const place = visible[Math.max(0, Math.min(visible.length - 1, index))]
    if (!place) return
    setFocused(place.key)
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(place.key)}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const index = visible.findIndex(({ key }) => key === current)
    const place = visible[index]
    if (!place) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => focus(index + 1),
      ArrowUp: () => focus(index - 1),
      Home: () => focus(0),
      End: () => focus(visible.length - 1),
      ArrowRight: () => (place.expanded === false ? open(place.key) : focus(index + 1)),
      ArrowLeft: () =>
        place.expanded === true ? close(place.key) : focus(visible.findIndex(({ key }) => key === place.parent)),
      ' ': () => onChange(togglePlace(place.key, chosen)),
      Enter: () => onChange(togglePlace(place.key, chosen)),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return (
    <div className={classes.picker}>
      <TextInput
        className={classes.search}
        size="sm"
        type="search"
        placeholder={t('search')}
        aria-label={t('search')}
        leftSection={<IconSearch size={15} stroke={1.65} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <ul ref={tree} className={classes.tree} role="tree" aria-label={label} aria-multiselectable onKeyDown={onKeyDown}>
        {visible.map((place) => (
          <PlaceItem
            key={place.key}
            place={place}
            name={nameOf(place.key)}
            chosen={chosen}
            isCurrent={place.key === current}
            onFocus={() => setFocused(place.key)}
            onToggle={() => onChange(togglePlace(place.key, chosen))}
            onExpand={() => (place.expanded ? close(place.key) : open(place.key))}
          />
        ))}
      </ul>
      {visible.length === 0 && (
        <p className={classes.none} role="status">
          {t('nothing')}
        </p>
      )}
      {chosen.length > 0 && (
        <div className={classes.foot}>
          <span>{t('chosen', { count: chosen.length })}</span>
          <Button variant="subtle" size="xs" onClick={() => onChange([])}>
            {t('clear')}
          </Button>
        </div>
      )}
    </div>
  )
}
