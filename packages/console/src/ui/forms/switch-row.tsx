import { Switch } from '@mantine/core'
import classes from './switch-row.module.css'

type SwitchRowProps = {
  label: string
  /** What it does, in a sentence or two. */ text: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A switch behind its words. */
export function SwitchRow({ label, text, checked, disabled = false, onChange }: SwitchRowProps) {
  return (
    <div className={classes.row}>
      <div>
        <p className={classes.label}>{label}</p>
        <p className={classes.text}>{text}</p>
      </div>
      <Switch
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        aria-label={label}
      />
    </div>
  )
}
