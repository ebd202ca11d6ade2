import type { ComponentProps } from 'react'
import classes from './cell-controls.module.css'

/**
 * Checkbox, switch and buttons of rows: the theme's look on one element each, where the library's take ten and a long
 * table has thousands. Each needs an `aria-label` or words of its own.
 */
export function CellCheckbox({
  indeterminate = false,
  className,
  ...input
}: ComponentProps<'input'> & { indeterminate?: boolean }) {
  return (
    <input
      type="checkbox"
      className={of(classes.check, className)}
      ref={(one) => {
        if (one) one.indeterminate = indeterminate
      }}
      {...input}
    />
  )
}

export function CellSwitch(input: ComponentProps<'input'>) {
  return <input type="checkbox" role="switch" className={classes.switch} {...input} />
}

/** Looks like the words in it. */
export function CellButton({ className, ...button }: ComponentProps<'button'>) {
  return <button type="button" className={of(classes.button, className)} {...button} />
}

/** 28 px around an icon: the three dots of a menu, or what the style sheet of `className` draws. */
export function CellIconButton({ icon, className, ...button }: ComponentProps<'button'> & { icon?: 'dots' }) {
  return <CellButton className={of(classes.icon, className)} data-icon={icon} {...button} />
}

const of = (own: string | undefined, given: string | undefined): string =>
  given === undefined ? `${own}` : `${own} ${given}`
