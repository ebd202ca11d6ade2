import { Checkbox } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import classes from './geo-picker.module.css'
import { checkState } from './place-tree.ts'
import type { VisiblePlace } from './use-visible-places.ts'

type PlaceItemProps = {
  place: VisiblePlace
  name: string
  chosen: readonly string[]
  isCurrent: boolean
  onFocus: () => void
  onToggle: () => void
  onExpand: () => void
}

export function PlaceItem({ place, name, chosen, isCurrent, onFocus, onToggle, onExpand }: PlaceItemProps) {
  const state = checkState(place.key, chosen)
  return (
    <li
      className={classes.item}
      role="treeitem"
      aria-level={place.level}
      aria-setsize={place.setSize}
      aria-posinset={place.position}
      aria-expanded={place.expanded ?? undefined}
      aria-checked={state === 'part' ? 'mixed' : state === 'on'}
      data-key={place.key}
      data-level={place.level}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onClick={onToggle}
    >
      <Checkbox.Indicator size="xs" radius="xs" checked={state === 'on'} indeterminate={state === 'part'} aria-hidden />
      <span className={classes.name}>{name}</span>
      {place.expanded !== null && (
        // The arrow keys do this for the keyboard, so it is not a button of its own.
        <span
          className={classes.expander}
          aria-hidden
          data-open={place.expanded || undefined}
          onClick={(event) => {
            event.stopPropagation()
            onExpand()
          }}
        >
          <IconChevronRight size={15} stroke={1.8} />
        </span>
      )}
    </li>
  )
}
